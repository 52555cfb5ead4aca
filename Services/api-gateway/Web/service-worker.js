/*
 * Shows what is pushed to this browser, and opens what is pressed. It answers no requests, so that pages always come
 * from the gateway. Every push shows a notification: browsers end the subscription of a site that shows nothing.
 */
const page = "/notifications";
const plain = { title: "Backline", body: "You have a new notification." };

// A new version has nothing to wait for, since it keeps no state.
addEventListener("install", () => skipWaiting());

addEventListener("push", (event) => {
    const { title, body, tag, lang, silent, navigate } = contentOf(event.data);
    event.waitUntil(registration.showNotification(title, {
        body, tag, lang, silent, data: { path: pathOf(navigate) },
        icon: "/assets/shell/icon-192.png",
    }));
});

addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(show(event.notification.data?.path ?? page));
});

/**
 * The notification of a declarative push message (w3.org/TR/push-api), which Safari shows by itself. Of a message that
 * cannot be read, as from a later version, something is shown, too.
 */
function contentOf(data) {
    let message = null;
    try {
        message = data?.json();
    } catch {
        // It is not JSON.
    }
    const text = (value, fallback) => typeof value === "string" && value !== "" ? value : fallback;
    const sent = message?.web_push === 8030 ? message.notification : null;
    if (typeof sent?.title !== "string" || sent.title === "") return plain;
    return {
        title: sent.title, body: text(sent.body, ""), tag: text(sent.tag, ""), lang: text(sent.lang, ""),
        silent: sent.silent === true, navigate: sent.navigate,
    };
}

/** The path of an address. Its origin is left out: this browser may know the site by another name. */
function pathOf(address) {
    if (typeof address !== "string") return page;
    try {
        const { pathname, search, hash } = new URL(address, location.origin);
        // The path of `mailto:.example.com` would continue the name of this site.
        return pathname.startsWith("/") ? pathname + search + hash : page;
    } catch {
        return page;
    }
}

/** Moves to a window that shows the page, or opens one: another page may have what somebody is writing. */
async function show(path) {
    // Two slashes at the beginning would be the address of another site.
    const address = location.origin + path;
    const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = windows.find(({ url }) => url === address);
    if (open) await open.focus();
    else await clients.openWindow(address);
}
