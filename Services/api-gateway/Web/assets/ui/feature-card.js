import { element } from "./dom.js";
import { icon } from "./icons.js";

/** A large link to what a person can do, with the name of an icon. */
export function featureCard({ href, picture, title, text }) {
    return element("a", { class: "card feature", href },
        element("span", { class: "feature-picture" }, icon(picture)),
        element("span", { class: "feature-text" },
            element("span", { class: "feature-title" }, title),
            element("span", {}, text)),
        element("span", { class: "feature-arrow", "aria-hidden": "true" }, "→"));
}
