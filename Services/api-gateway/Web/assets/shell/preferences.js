/**
 * A person's choices, stored in the browser's local storage. If storage is forbidden or full, a choice lasts until the
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

/**
 * Deletes what scripts of other sites have stored in this browser for this site: Apple's script stores a token of the
 * person. What Backline stores has a prefix, and scripts cannot read its cookie.
 */
export function forgetForeignData() {
    for (const storage of ["localStorage", "sessionStorage"]) {
        try {
            for (const key of Object.keys(window[storage])) {
                if (!key.startsWith(prefix)) window[storage].removeItem(key);
            }
        } catch {
            // If storage is forbidden, nothing was stored.
        }
    }
    for (const cookie of document.cookie.split("; ").filter(Boolean)) {
        document.cookie = `${cookie.split("=")[0]}=; max-age=0; path=/`;
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
        // The map remembers the choice.
    }
}
