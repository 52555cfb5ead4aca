import { element } from "../ui/dom.js";

const pages = [
    ["recent", "/listening", "Recent"], ["stats", "/listening/stats", "Stats"],
    ["feedback", "/listening/feedback", "Loved"], ["programs", "/listening/programs", "Sources"],
];

/** The links above each page of listens, with the `current` one marked. */
export function listeningTabs(current) {
    return element("nav", { class: "page-links", "aria-label": "Listening" },
        element("a", { href: "/library" }, "← Library"),
        pages.map(([name, href, label]) =>
            element("a", { href, "aria-current": name === current ? "page" : null }, label)));
}
