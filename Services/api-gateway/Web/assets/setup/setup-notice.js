let notice = null;

/** Leaves a sentence for the checklist to show when it opens next. */
export function leaveNotice(sentence) {
    notice = sentence;
}

/** Returns the sentence once, then `null`. */
export function takeNotice() {
    const sentence = notice;
    notice = null;
    return sentence;
}
