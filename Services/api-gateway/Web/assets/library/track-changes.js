import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { clockTime, counted } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { changePicture, changeText } from "./change-text.js";
import { section } from "./item-view.js";

/** The maximum number of changes shown on a song's page. */
const most = 20;

/** The changes that syncs found in a song, latest first. */
export function trackChanges(track, { signal }) {
    const container = element("div", {}, element("p", { class: "secondary" }, "Loading …"));
    load();
    return section("What changed", container);

    async function load() {
        const parts = new URLSearchParams({ trackId: track.id, sort: "latest", limit: most });
        try {
            const { items, total } = await api.get(`/v1/library/changes?${parts}`, { signal });
            const rows = items.map((change) => element("li", {}, icon(changePicture(change)),
                element("span", {}, `It was ${changeText(change)}`),
                element("time", { class: "secondary", datetime: change.at }, clockTime(change.at))));
            container.replaceChildren(...[
                rows.length > 0 ? element("ul", { class: "change-list" }, rows)
                    : element("p", { class: "secondary" }, "No changes on record."),
                total > items.length && element("p", { class: "secondary" },
                    `and ${counted(total - items.length, "earlier change")}`),
            ].filter(Boolean));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            container.replaceChildren(element("p", { class: "field-error" }, messageFor(problem)),
                element("button", { class: "button small", type: "button", onclick: load }, "Retry"));
        }
    }
}
