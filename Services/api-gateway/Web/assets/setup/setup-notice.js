/** The checklist may be in another document than the step. */
const key = "backline.setupNotice";
let notice = null;

/** Leaves a sentence for the checklist to show when it opens next. */
export function leaveNotice(sentence) {
    notice = sentence;
    try {
        sessionStorage.setItem(key, sentence);
    } catch {
        // The checklist of this document shows it.
    }
}

/** Returns the sentence once, then `null`; and whether another document has left it, so that it is not announced. */
export function takeNotice() {
    let sentence = notice;
    const isOfThisDocument = sentence !== null;
    notice = null;
    try {
        sentence ??= sessionStorage.getItem(key);
        sessionStorage.removeItem(key);
    } catch {
        // As above.
    }
    return { sentence, isAnnounced: isOfThisDocument };
}
