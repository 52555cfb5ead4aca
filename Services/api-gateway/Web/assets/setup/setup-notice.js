/** The notice is in the session storage, because the checklist may be in another document than the step. */
const key = "backline.setupNotice";
let notice = null;

/** Stores a sentence that the checklist shows when it next opens. */
export function leaveNotice(sentence) {
    notice = sentence;
    try {
        sessionStorage.setItem(key, sentence);
    } catch {
        // The checklist of this document shows it.
    }
}

/** Returns the sentence once, then `null`, and whether it was announced: one from another document was not. */
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
