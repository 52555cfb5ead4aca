import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { name } from "../ui/list-row.js";
import { addressOf, nameOf } from "../ui/person-names.js";
import { picture } from "../ui/picture.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { reactions } from "./reactions.js";

/** Shows who reacted to a share or thanked for it, the latest first, as far as the reader may see them. */
export function showReactors({ id }) {
    return openSheet({ title: "Who reacted", content: () => reactors(`/v1/shares/${encodeURIComponent(id)}/reactions`) });
}

function reactors(path) {
    const status = element("p", { class: "secondary", role: "status" }, "Loading …");
    const list = element("ul", { class: "people-rows", "aria-label": "People", hidden: true });
    const more = element("button", { class: "button", type: "button", hidden: true, onclick: load }, "Load more");
    let cursor = null;
    load();
    return [status, list, more];

    async function load() {
        try {
            const answer = await api.get(`${path}?${new URLSearchParams({ limit: 50, ...(cursor && { cursor }) })}`);
            cursor = answer.nextCursor;
            const rows = answer.items.map(row);
            const wasAsked = cursor !== null || list.children.length > 0;
            list.append(...rows);
            list.hidden = list.children.length === 0;
            more.hidden = cursor === null;
            status.textContent = list.hidden ? "Nobody has reacted yet." : "";
            if (wasAsked && document.activeElement === document.body) rows[0]?.querySelector("a").focus();
        } catch (problem) {
            status.textContent = messageFor(problem);
        }
    }
}

function row({ person, reaction, thanked }) {
    return element("li", { class: "person-row" },
        element("span", { class: "person-face" }, picture(person.picture, nameOf(person))),
        element("div", { class: "person-words" },
            element("p", {}, element("a", { class: "person-name", href: addressOf(person) }, name(nameOf(person)))),
            element("p", { class: "secondary" },
                [reactions[reaction], thanked && "Thanks"].filter(Boolean).join(", "))));
}
