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
    const url = new URL(address, location.origin);
    if (url.origin !== location.origin) throw new RangeError(`${url.origin} is not this site.`);
    // The whole URL: a browser takes a path that begins with two slashes for the address of another site.
    if (needsDocument(url)) {
        location[replaces ? "replace" : "assign"](url.href);
        return new Promise(() => {});
    }
    if (replaces) history.replaceState(null, "", url.href);
    else history.pushState(null, "", url.href);
    return showPage();
}

/**
 * Stores a person's place on the page in the current entry of the history. The page gets it as `view.place` when they
 * return to the entry or reload it.
 */
export function keepPlace(place) {
    history.replaceState({ ...history.state, place }, "");
}
