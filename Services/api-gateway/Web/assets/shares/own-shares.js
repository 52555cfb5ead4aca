import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";
import { ShareList } from "./share-list.js";

/** What the person has shared, with what others think of it. */
export function show({ main, signal }) {
    const list = new ShareList({
        path: "/v1/me/shares", signal, empty: () => emptyView({
            picture: "share", title: "You have not shared anything yet",
            text: "Share a song from its menu, wherever it is listed.",
            actions: [
                element("a", { class: "button primary", href: "/explore" }, "Go to Explore"),
                element("a", { class: "button", href: "/library" }, "Go to your library"),
            ],
        }),
    });
    main.replaceChildren(element("div", { class: "detail" },
        element("p", { class: "way" }, element("a", { href: "/profile" }, "← Profile")),
        element("h1", {}, "Your shares"), list.element));
    list.begin();
    return "Your shares";
}
