import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { openAt } from "../songs/service-links.js";

/** The buttons on a playlist's or an album's page: a link to its page at the service, if there is one. */
export function itemButtons(type, item) {
    const { label, href } = openAt(type, item);
    return href && element("div", { class: "detail-buttons" },
        element("a", { class: "button", href, target: "_blank", rel: "noopener noreferrer" }, icon("external"), label));
}
