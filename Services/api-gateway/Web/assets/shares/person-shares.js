import { element } from "../ui/dom.js";
import { ShareList } from "./share-list.js";

/**
 * The part of a person's profile with what they shared lately. It is hidden while there is nothing. Returns
 * `{ element, show }`; `show(mayBeSeen)` reads the shares, or hides them from who may not see them.
 */
export function personShares(person, { signal }) {
    const section = element("section", { class: "detail-list", "aria-labelledby": "recent-shares", hidden: true });
    let shown = null;
    return { element: section, show };

    function show(mayBeSeen) {
        shown?.abort();
        section.hidden = true;
        if (!mayBeSeen) return;
        shown = new AbortController();
        const list = new ShareList({
            path: `/v1/users/${encodeURIComponent(person.username)}/shares`,
            signal: AbortSignal.any([signal, shown.signal]), level: 3, empty: () => null,
            loaded: (count) => { section.hidden = count === 0; },
            // Who may not see the profile any longer is told so by its page.
            failed: ({ status }) => { section.hidden = status === 404; },
        });
        section.replaceChildren(element("h2", { id: "recent-shares" }, "Recent shares"), list.element);
        list.begin();
    }
}
