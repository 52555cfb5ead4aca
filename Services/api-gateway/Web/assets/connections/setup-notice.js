/** The notice is in the session storage, because the checklist may be in another document than the step. */
const key = "backline.setupNotice";
let notice = null;

/** Stores a sentence that the checklist shows when it next opens, with a link `{ href, text }` to another site. */
export function saveNotice(sentence, link = null) {
    notice = { sentence, link };
    try {
        sessionStorage.setItem(key, JSON.stringify(notice));
    } catch {
        // The checklist of this document shows it.
    }
}

/**
 * Returns the sentence once, then `null`, with its link, and whether it was announced: one from another document was
 * not.
 */
export function consumeNotice() {
    let found = notice;
    const isOfThisDocument = found !== null;
    notice = null;
    try {
        found ??= JSON.parse(sessionStorage.getItem(key));
        sessionStorage.removeItem(key);
    } catch {
        // As above.
    }
    return { sentence: found?.sentence ?? null, link: found?.link ?? null, isAnnounced: isOfThisDocument };
}
