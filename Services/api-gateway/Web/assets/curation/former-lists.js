import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { weekday } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { stateText } from "./list-state.js";

/**
 * The section with the earlier lists of a kind, newest first. `kind` is the part of their addresses that names it.
 * `load()` reads them again from the first one.
 */
export function formerLists({ kind, title, signal }) {
    const id = `former-${kind}`;
    const error = element("p", { class: "field-error", role: "alert" });
    const rows = element("ul", { class: "imports", "aria-labelledby": id });
    const more = element("button", { class: "button more", type: "button", onclick: loadMore }, "Load more");
    const section = element("section", { class: "detail-list", "aria-labelledby": id, hidden: true },
        element("h2", { id }, title), rows, more, error);
    let cursor = null;
    return { element: section, load };

    async function load() {
        const page = await api.get(`/v1/ai/${kind}`, { signal }).catch(() => null);
        if (!page) return;
        section.hidden = page.items.length === 0;
        rows.replaceChildren(...page.items.map(row));
        showCursor(page);
    }

    async function loadMore() {
        error.textContent = "";
        try {
            const page = await api.get(`/v1/ai/${kind}?cursor=${encodeURIComponent(cursor)}`, { signal });
            const first = rows.children.length;
            rows.append(...page.items.map(row));
            showCursor(page);
            rows.children[first]?.querySelector("a").focus();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    function showCursor({ nextCursor }) {
        cursor = nextCursor;
        more.hidden = cursor === null;
    }

    function row(list) {
        return element("li", { class: "card import" },
            element("a", { href: `/explore/${kind}/${list.id}` }, name(list.title)),
            element("p", { class: "secondary" }, `${stateText(list)} · ${weekday(list.createdAt)}`));
    }
}
