let waiting = null;

/** Leaves a sentence for the checklist to show, to which a view goes back when its work is done. */
export function leaveNotice(sentence) {
    waiting = sentence;
}

/** The sentence that was left, once. */
export function takeNotice() {
    const notice = waiting;
    waiting = null;
    return notice;
}
