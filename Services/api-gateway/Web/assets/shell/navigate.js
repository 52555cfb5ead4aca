import { updateVisit } from "./visits.js";

/** Shows the page of the current address. The router sets it, because only the router knows the pages. */
let showPage = async () => {};
/** Whether a URL needs another document than the current one. */
let needsDocument = () => false;

export function setPageLoader(loader, isOfAnotherDocument) {
    showPage = loader;
    needsDocument = isOfAnotherDocument;
}

/**
 * Goes to an address of this site, and resolves when its page is shown. `replaces` replaces the current entry of the
 * history, so that the back button skips that entry. Throws for an address of another site.
 *
 * The browser loads a new document for a page with its own Content-Security-Policy, and another one for the page after
 * it. Then the promise never resolves, as this document ends.
 */
export function navigate(address, { replaces = false } = {}) {
    return go(address, { replaces });
}

/** Goes to the page of an earlier visit (`visits.js`), and to where the person was on it. */
export function revisit({ address, scrollPosition, top }) {
    return go(address, { scrollPosition, top });
}

function go(address, { replaces = false, scrollPosition = null, top = null }) {
    const url = new URL(address, location.origin);
    if (url.origin !== location.origin) throw new RangeError(`${url.origin} is not this site.`);
    // The whole URL: a browser takes a path that begins with two slashes for the address of another site.
    if (needsDocument(url)) {
        location[replaces ? "replace" : "assign"](url.href);
        return new Promise(() => {});
    }
    const state = scrollPosition === null ? null : { scrollPosition };
    if (replaces) history.replaceState(state, "", url.href);
    else history.pushState(state, "", url.href);
    return showPage({ top });
}

/**
 * Stores how far a page is scrolled in the current entry of the history. The page gets it as `view.scrollPosition` when
 * the person returns to the entry, reloads it, or returns to the section of the navigation.
 */
export function saveScrollPosition(scrollPosition) {
    history.replaceState({ ...history.state, scrollPosition }, "");
    updateVisit({ scrollPosition });
}

/**
 * Replaces the address of the page that is shown, as when a person filters a list. The stored scroll position is
 * forgotten, unless `keepsScrollPosition` is set.
 */
export function replaceAddress(address, { keepsScrollPosition = false } = {}) {
    history.replaceState(keepsScrollPosition ? history.state : null, "", address);
    updateVisit({ address, ...(!keepsScrollPosition && { scrollPosition: null }) });
}
