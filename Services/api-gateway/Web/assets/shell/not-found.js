import { element } from "../components/dom.js";

export function show({ main }) {
    main.replaceChildren(
        element("h1", {}, "There is no such page"),
        element("p", { class: "lead" }, "The address may be mistyped, or the page has moved."),
        element("p", {}, element("a", { class: "button primary", href: "/feed" }, "Go to the feed")));
    return "No such page";
}
