import { element } from "../ui/dom.js";
import { ShareList } from "./share-list.js";

/**
 * The part of a person's profile with what they shared lately. It is hidden while there is nothing. Returns
 * `{ element, begin }`; `begin` reads the shares again.
 */
export function personShares(person, { signal }) {
    const section = element("section", { class: "detail-list", "aria-labelledby": "recent-shares", hidden: true });
    const list = new ShareList({
        path: `/v1/users/${encodeURIComponent(person.username)}/shares`, signal, level: 3, empty: () => null,
        loaded: (count) => { section.hidden = count === 0; },
        // Who may not see the profile any longer is told so by its page.
        failed: ({ status }) => { section.hidden = status === 404; },
    });
    section.append(element("h2", { id: "recent-shares" }, "Recent shares"), list.element);
    list.begin();
    return { element: section, begin: () => list.begin() };
}
