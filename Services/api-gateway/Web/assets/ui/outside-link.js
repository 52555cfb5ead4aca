import { element, hiddenText } from "./dom.js";
import { icon } from "./icons.js";

/** A link to another site, which opens in a new tab. Its icon is always on the line of its last word. */
export function outsideLink(href, text) {
    const words = text.split(" ");
    const last = words.pop();
    return element("a", { class: "outside-link", href, target: "_blank", rel: "noopener noreferrer" },
        words.map((word) => `${word} `), element("span", {}, last, icon("external")),
        hiddenText(" (opens in a new tab)"));
}
