import { element } from "../ui/dom.js";
import { HiddenList } from "./hidden-list.js";
import { mutedKinds } from "./muting.js";

/** The page of what the person does not want in the feed: kinds that are muted, and items that are hidden. */
export function show({ main, signal }) {
    const list = new HiddenList({ signal });
    const muted = mutedKinds({ signal, ended: () => {} });
    main.replaceChildren(element("div", { class: "narrow hidden-page" },
        element("p", { class: "way" }, element("a", { href: "/feed" }, "← Feed")),
        element("h1", { tabindex: "-1" }, "Hidden items"),
        element("p", { class: "secondary" }, "Your feed leaves out what you have hidden, until you show it again."),
        muted.element, list.element));
    list.begin();
    return "Hidden items";
}
