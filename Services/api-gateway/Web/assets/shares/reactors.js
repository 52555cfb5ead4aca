import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { addressOf, nameOf } from "../ui/person-names.js";
import { picture } from "../ui/picture.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { reactions } from "./reactions.js";

/**
 * Shows who reacted to a share or thanked for it, the latest first, as far as the reader may see them. The others are
 * counted.
 */
export function showReactors({ id }) {
    return openSheet({ title: "Who reacted", content: () => reactors(`/v1/shares/${encodeURIComponent(id)}/reactions`) });
}

function reactors(path) {
    const status = element("p", { class: "secondary", role: "status" }, "Loading …");
    const list = element("ul", { class: "people-rows", "aria-label": "People", hidden: true });
    const more = element("button", { class: "button", type: "button", hidden: true, onclick: load }, "Load more");
    let cursor = null;
    let others = 0;
    load();
    // After the list, since the sentence goes on from it.
    return [list, status, more];

    async function load() {
        try {
            const answer = await api.get(`${path}?${new URLSearchParams({ limit: 50, ...(cursor && { cursor }) })}`);
            cursor = answer.nextCursor;
            others += answer.others;
            const rows = answer.items.map(row);
            const wasAsked = cursor !== null || list.children.length > 0;
            list.append(...rows);
            list.hidden = list.children.length === 0;
            more.hidden = cursor === null;
            more.textContent = "Load more";
            status.textContent = cursor === null ? end(list.children.length) : "";
            if (wasAsked && document.activeElement === document.body) rows[0]?.querySelector("a").focus();
        } catch (problem) {
            status.textContent = messageFor(problem);
            more.hidden = false;
            more.textContent = "Retry";
        }
    }

    /** What is after the whole list, which names `count` people. */
    function end(count) {
        if (others === 0) return count === 0 ? "Nobody has reacted yet." : "";
        const text = counted(others, "other");
        return count > 0 ? `And ${text}, whose names you cannot see.`
            : `${counted(others, "person", "people")} reacted, whose ${others === 1 ? "name" : "names"} you cannot see.`;
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
