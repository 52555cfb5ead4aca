import { api } from "../shell/api.js";
import { concertAddress, concertPlace } from "../ui/concert-names.js";
import { element } from "../ui/dom.js";
import { showDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { navigate } from "../shell/navigate.js";
import { safeURL } from "../ui/safe-url.js";

/** The maximum number of concerts shown, and of pages of a search read to find them. */
const most = 5;
const mostPages = 5;

/** The artist's concerts from the latest search, and a button that starts a new search. */
export function artistConcerts(artist, { signal }) {
    const list = element("ul", { class: "concert-dates" });
    const error = element("p", { class: "field-error", role: "alert" });
    const button = element("button", { class: "button", type: "button", onclick: search }, icon("ticket"),
        "Find concerts");
    load();
    return element("section", { class: "detail-list", "aria-label": "Concerts" },
        element("div", { class: "headline" }, element("h2", {}, "Concerts"), button), error, list);

    async function load() {
        try {
            const { items: [latest] } = await api.get("/v1/concert-searches?limit=1", { signal });
            // One search at a time: the results of the running one may have the artist.
            if (latest?.state === "running") refuse(latest.id);
            const isCovered = latest?.coverage.some((one) => isSame(one.artist, artist));
            const shows = isCovered ? await shownOf(latest.id) : [];
            list.replaceChildren(...(shows.length > 0 ? shows.map((show) => row(show, latest.id)) : [
                element("li", { class: "secondary" }, isCovered
                    ? `Your latest search found no concerts by ${artist}.`
                    : "Your latest search did not include this artist."),
            ]));
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    /** Leads to the search that runs, in place of the button. */
    function refuse(id) {
        button.disabled = true;
        button.after(element("a", { href: `/explore/concerts/${id}` }, "A search is running"));
    }

    /** The artist's shows in a search, which lists its shows artist by artist. */
    async function shownOf(id) {
        const shows = [];
        let cursor = null;
        for (let page = 0; page < mostPages && shows.length < most; page += 1) {
            const parts = new URLSearchParams({ limit: 200, ...(cursor && { cursor }) });
            const { items, nextCursor } = await api.get(`/v1/concert-searches/${id}?${parts}`, { signal });
            shows.push(...items.filter((show) => isSame(show.artistName, artist)));
            cursor = nextCursor;
            if (!cursor) break;
        }
        return shows.slice(0, most);
    }

    async function search() {
        error.textContent = "";
        button.setAttribute("aria-disabled", "true");
        try {
            const { id } = await api.post("/v1/concert-searches", { artists: [artist] }, { signal });
            await navigate(`/explore/concerts/${id}`);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            error.textContent = messageFor(problem);
            button.setAttribute("aria-disabled", "false");
        }
    }
}

function row(show, search) {
    const tickets = safeURL(show.ticketURL);
    return element("li", {}, element("a", { class: "concert-date", href: concertAddress(show) }, showDate(show)),
        element("span", { class: "secondary" }, concertPlace(show)),
        tickets ? element("a", { href: tickets, target: "_blank", rel: "noopener noreferrer" }, "Tickets")
            : element("a", { href: `/explore/concerts/${search}` }, "Results"));
}

function isSame(one, other) {
    return one.localeCompare(other, undefined, { sensitivity: "base" }) === 0;
}
