import { unreadMessages } from "../shell/messages-link.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { emptyView } from "../ui/problem-view.js";
import { ThreadList } from "./thread-list.js";

/** The person's threads; with `?state=blocked`, those with people whom the person has blocked. */
export function show({ main, signal }) {
    if (new URLSearchParams(location.search).get("state") === "blocked") return showBlocked(main, signal);
    const requests = element("p", { hidden: true });
    const list = new ThreadList({
        kind: "open", label: "Conversations", signal, empty: () => emptyView({
            picture: "message", title: "No messages yet",
            text: "Write to somebody from their profile, or send a song to a friend from its menu.",
            actions: [
                element("a", { class: "button primary", href: "/people" }, "Find people"),
                element("a", { class: "button", href: "/library" }, "Go to your library"),
            ],
        }),
    });
    main.replaceChildren(element("div", { class: "narrow messages-page" },
        element("p", { class: "way" }, element("a", { href: "/feed" }, "← Feed")),
        element("div", { class: "headline" }, element("h1", { tabindex: "-1" }, "Messages"),
            element("a", { class: "settings-link", href: "/profile/messages" }, "Settings")),
        requests, list.element));
    unreadMessages.addEventListener("change", showRequests, { signal });
    showRequests();
    list.begin();
    return "Messages";

    function showRequests() {
        const { requests: count } = unreadMessages;
        requests.hidden = count === 0;
        const text = counted(count, "request");
        if (count === 0) requests.replaceChildren();
        else if (requests.textContent !== text) {
            requests.replaceChildren(element("a", { class: "button", href: "/threads/requests" }, text));
        }
    }
}

function showBlocked(main, signal) {
    const list = new ThreadList({
        kind: "blocked", label: "Conversations", signal, empty: () => emptyView({
            picture: "message", title: "There are no messages here",
            text: "You have not written with anybody whom you have blocked.",
            actions: [element("a", { class: "button", href: "/threads" }, "Go to your messages")],
        }),
    });
    main.replaceChildren(element("div", { class: "narrow messages-page" },
        element("p", { class: "way" }, element("a", { href: "/people/blocked" }, "← Blocked people")),
        element("h1", { tabindex: "-1" }, "Messages with blocked people"), list.element));
    list.begin();
    return "Messages with blocked people";
}
