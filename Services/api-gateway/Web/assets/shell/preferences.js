/**
 * A person's choices, kept in the browser's local storage. Where storage is forbidden or full, a choice lasts until the
 * tab is closed or reloaded.
 */
const prefix = "backline.";
const unsaved = new Map();

export function preference(name, fallback = null) {
    try {
        return localStorage.getItem(prefix + name) ?? unsaved.get(name) ?? fallback;
    } catch {
        return unsaved.get(name) ?? fallback;
    }
}

/** Stores a text; an empty one, or `null`, deletes the choice. */
export function remember(name, value) {
    if (value) unsaved.set(name, value);
    else unsaved.delete(name);
    try {
        if (value) localStorage.setItem(prefix + name, value);
        else localStorage.removeItem(prefix + name);
    } catch {
        // The map has the choice.
    }
}
