import { requireSpotify, topScope } from "../connections/spotify-access.js";
import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";
import { Tabs } from "../ui/tabs.js";
import { rows } from "./rows.js";
import { isEndedByConnecting, catalogProblemView } from "./catalog-problem.js";

/** The time ranges of top lists, by the API's names. */
const ranges = { short_term: "Last 4 weeks", medium_term: "Last 6 months", long_term: "Last year" };
/** The number of items of a list shown at first. */
const first = 10;

/** What a person listens to most on Spotify, in three time ranges. */
export function topLists({ signal }) {
    let range = "short_term";
    let request = new AbortController();
    signal.addEventListener("abort", () => request.abort());
    const tabs = new Tabs({
        label: "Period", tabs: ranges, current: range,
        open: (chosen) => {
            range = chosen;
            load();
        },
    });
    const view = element("section", { class: "found", "aria-label": "What you listen to most" },
        element("h2", {}, "What you listen to most"), tabs.element, tabs.panel);
    connection.addEventListener("restored", () => tabs.panel.querySelector(".notice-view") && load(), { signal });
    load();
    return view;

    async function load() {
        request.abort();
        request = new AbortController();
        const { signal: current } = request;
        tabs.panel.replaceChildren(element("p", { class: "secondary", role: "status" }, "Loading …"));
        try {
            await requireSpotify({ signal: current, scope: topScope });
            const [artists, tracks] = await Promise.all(["artists", "tracks"].map((list) =>
                api.get(`/v1/${list}/top?timeRange=${range}`, { signal: current })));
            if (current.aborted) return;
            tabs.element.hidden = false;
            tabs.panel.replaceChildren(...content(artists.items, tracks.items));
        } catch (problem) {
            if (current.aborted || problem.status === 401) return;
            // Without Spotify there is nothing to choose from.
            tabs.element.hidden = isEndedByConnecting(problem);
            tabs.panel.replaceChildren(catalogProblemView(problem, load, { level: 3 }));
        }
    }

    function content(artists, tracks) {
        if (artists.length + tracks.length === 0) {
            return [emptyView({
                picture: "spark", title: "Nothing yet", level: 3,
                text: ["Spotify does not know what you listened to most in this period.",
                    "Search for artists and songs, or choose a longer period."],
            })];
        }
        return [list("Artists", "artist", artists), list("Songs", "track", tracks)];
    }

    function list(title, type, items) {
        if (items.length === 0) return "";
        const made = element("ol", { class: "rows", "aria-label": `Top ${title.toLowerCase()}` },
            items.slice(0, first).map((item) => rows[type](item)));
        const more = element("button", { class: "button", type: "button", onclick: () => {
            const rest = items.slice(first).map((item) => rows[type](item));
            made.append(...rest);
            rest[0].querySelector("a").focus();
            more.remove();
        } }, `Show all ${items.length}`);
        return element("div", { class: "found-part" }, element("h3", {}, title), made,
            items.length > first && more);
    }
}
