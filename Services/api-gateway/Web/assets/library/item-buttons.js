import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { openAt } from "./service-links.js";

/** The buttons of a playlist's or an album's page: its page at the service, where the service has one. */
export function itemButtons(type, item) {
    const { label, href } = openAt(type, item);
    return href && element("div", { class: "detail-buttons" },
        element("a", { class: "button", href, target: "_blank", rel: "noopener noreferrer" }, icon("external"), label));
}
