import { api } from "../shell/api.js";
import { element, freshID } from "../ui/dom.js";
import { clockOnly, counted, dayOf, weekday } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { ListView } from "../ui/list-view.js";
import { replaceAddress, saveScrollPosition } from "../shell/navigate.js";
import { emptyView } from "../ui/problem-view.js";
import { changeAddress, changePicture, changeText, itemName } from "./change-text.js";
import { backToLibrary } from "./item-view.js";

const kinds = { all: "All", added: "Added", missing: "Removed", returned: "Returned", changed: "Changed" };

export function show({ main, signal, scrollPosition }) {
    const given = new URLSearchParams(location.search).get("kind");
    let kind = Object.hasOwn(kinds, given) ? given : "all";
    const status = element("p", { class: "count", role: "status" });
    const view = new ListView({
        label: "Changes", scrollPosition, onScroll: saveScrollPosition, signal, row: changeRow,
        load: async ({ position, limit, signal: current }) => {
            // Reads one more item before the range, to know whether the range's first item begins a new day.
            const before = Math.min(1, position);
            const parts = new URLSearchParams({
                sort: "latest", position: position - before, limit: Math.min(200, limit + before),
                ...(kind !== "all" && { kind }),
            });
            const { items, total } = await api.get(`/v1/library/changes?${parts}`, { signal: current });
            return { items: withDays(items).slice(before), total };
        },
        changed: (total) => { status.textContent = counted(total, "change"); },
        empty: () => emptyView({
            picture: "clock", title: kind === "all" ? "Nothing has changed yet" : "No changes of this kind",
            text: "After each sync, you see here what was added to your library or removed from it.",
        }),
    });
    main.replaceChildren(element("div", { class: "detail" }, backToLibrary(),
        element("div", { class: "headline" }, element("h1", {}, "Changes"), status),
        filter(), element("div", { class: "change-view" }, view.element)));
    view.begin();
    return "Changes";

    function filter() {
        const name = freshID("kind");
        return element("fieldset", { class: "segments change-kinds" },
            element("legend", { class: "visually-hidden" }, "Kind of change"),
            Object.entries(kinds).map(([value, label]) => element("label", {},
                element("input", {
                    type: "radio", name, value, checked: value === kind, onchange: () => choose(value),
                }),
                element("span", {}, label))));
    }

    function choose(value) {
        kind = value;
        replaceAddress(kind === "all" ? "/library/changes" : `/library/changes?kind=${kind}`);
        view.begin();
    }
}

/** Adds the day to the first change of each day. */
function withDays(items) {
    return items.map((change, index) => {
        const isFirst = index === 0 || dayOf(items[index - 1].at) !== dayOf(change.at);
        return isFirst ? { ...change, day: weekday(change.at) } : change;
    });
}

function changeRow(change) {
    const { at, title, day } = change;
    const href = changeAddress(change);
    const words = element("bdi", {}, title);
    return element("li", { class: "row change-row", tabindex: href ? null : "-1" },
        element("span", { class: "row-picture change-picture", "data-kind": change.kind },
            icon(changePicture(change))),
        element("div", { class: "row-words" },
            day && element("p", { class: "change-day" }, day),
            element("p", { class: "row-head" }, href
                ? element("a", { class: "row-title", href, "data-control": true }, words)
                : element("span", { class: "row-title" }, words)),
            element("p", { class: "row-text" }, `${itemName(change)} · ${changeText(change)} · `,
                element("time", { datetime: at }, clockOnly(at)))));
}
