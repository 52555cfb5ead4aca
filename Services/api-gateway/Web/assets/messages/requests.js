import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";
import { ThreadList } from "./thread-list.js";

/** Who asks to write to the person. */
export function show({ main, signal }) {
    const list = new ThreadList({
        kind: "requests", label: "Message requests", signal, empty: () => emptyView({
            picture: "message", title: "No requests",
            text: "People who have to ask before they can write to you appear here.",
            actions: [element("a", { class: "button", href: "/profile/messages" }, "Choose who may write to you")],
        }),
    });
    main.replaceChildren(element("div", { class: "narrow messages-page" },
        element("p", { class: "way" }, element("a", { href: "/threads" }, "← Messages")),
        element("h1", { tabindex: "-1" }, "Message requests"),
        element("p", { class: "secondary" },
            "You can read a request without its sender learning of it, unless you accept."),
        list.element));
    list.begin();
    return "Message requests";
}
