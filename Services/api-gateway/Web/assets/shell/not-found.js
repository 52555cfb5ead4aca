import { element } from "../ui/dom.js";

export function show({ main }) {
    main.replaceChildren(
        element("h1", {}, "Page not found"),
        element("p", { class: "lead" }, "The address may be mistyped, or the page may have moved."),
        element("p", {}, element("a", { class: "button primary", href: "/feed" }, "Go to the feed")));
    return "Page not found";
}
