/** Shows the page of the address bar. The router replaces it: it alone knows the pages. */
let showPage = async () => {};

export function setPageLoader(loader) {
    showPage = loader;
}

/**
 * Goes to an address of this site, and resolves when its page is shown. `replaces` puts the address in place of the
 * present entry of the history, so that the back button skips that entry.
 */
export function navigate(address, { replaces = false } = {}) {
    if (replaces) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    return showPage();
}
