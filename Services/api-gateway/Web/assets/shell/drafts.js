/**
 * What a person is writing, stored until the tab is closed, so that reloading the page or signing in again does not
 * lose it. If storage is forbidden or full, a draft lasts as long as the document.
 */
const prefix = "backline.draft.";
const unsaved = new Map();

/** The draft of a person with a name, or `null`. */
export function draft(userID, name) {
    const key = `${prefix}${userID}.${name}`;
    try {
        return JSON.parse(sessionStorage.getItem(key)) ?? unsaved.get(key) ?? null;
    } catch {
        return unsaved.get(key) ?? null;
    }
}

/** Stores a draft, which JSON can express; `null` deletes it. */
export function saveDraft(userID, name, value) {
    const key = `${prefix}${userID}.${name}`;
    if (value === null) unsaved.delete(key);
    else unsaved.set(key, value);
    try {
        if (value === null) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(value));
    } catch {
        // The map has the draft.
    }
}

/** Forgets all drafts, or those of everybody but one person: the next one to use this tab may be someone else. */
export function forgetDrafts({ butOf = null } = {}) {
    const isMeant = (key) => key.startsWith(prefix) && !(butOf && key.startsWith(`${prefix}${butOf}.`));
    for (const key of [...unsaved.keys()].filter(isMeant)) unsaved.delete(key);
    try {
        for (const key of Object.keys(sessionStorage).filter(isMeant)) sessionStorage.removeItem(key);
    } catch {
        // If storage is forbidden, nothing was stored.
    }
}
