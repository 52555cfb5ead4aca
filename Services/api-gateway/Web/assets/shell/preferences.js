/**
 * What this browser remembers of a person's choices. Storage can be forbidden or full: a choice then lasts until the
 * page is left.
 */
const prefix = "backline.";
const forgotten = new Map();

export function preference(name, fallback = null) {
    try {
        return localStorage.getItem(prefix + name) ?? forgotten.get(name) ?? fallback;
    } catch {
        return forgotten.get(name) ?? fallback;
    }
}

/** Remembers a text; an empty one, or `null`, forgets. */
export function remember(name, value) {
    if (value) forgotten.set(name, value);
    else forgotten.delete(name);
    try {
        if (value) localStorage.setItem(prefix + name, value);
        else localStorage.removeItem(prefix + name);
    } catch {
        // The map above has it.
    }
}
