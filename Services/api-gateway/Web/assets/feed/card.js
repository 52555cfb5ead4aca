import { element, freshID } from "../ui/dom.js";
import { clockTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { openMenu } from "../ui/menu.js";

/**
 * The frame of a card of the feed: a picture or an icon, a title, when it happened, and a menu with `items()`. `label`
 * completes the menu's name. `title` and `content` are children of an element.
 */
export function feedCard({ face, title, at, label, items, content = [], className = "" }) {
    const heading = freshID("card");
    const called = `Actions for ${label}`;
    return element("article", { class: `card feed-card ${className}`.trim(), "aria-labelledby": heading },
        element("header", { class: "card-head" },
            typeof face === "string" ? element("span", { class: "card-icon" }, icon(face)) : face,
            element("div", { class: "card-words" },
                element("h2", { class: "card-title", id: heading, tabindex: "-1" }, title),
                element("p", { class: "secondary" }, element("time", { datetime: at }, clockTime(at)))),
            element("button", {
                class: "icon-button", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
                "aria-label": called,
                onclick: ({ currentTarget }) =>
                    openMenu({ label: called, items: items(), at: currentTarget, opener: currentTarget }),
            }, icon("more"))),
        content);
}
