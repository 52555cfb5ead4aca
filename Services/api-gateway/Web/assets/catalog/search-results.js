import { albumRow, playlistRow, trackRow } from "../library/rows.js";
import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { emptyView, problemView } from "../ui/problem-view.js";
import { hitList, sections } from "./hits.js";
import { catalogProblemView } from "./catalog-problem.js";

/** The rows of items of the library, by their member in an answer. */
const ownRows = { tracks: trackRow, albums: albumRow, playlists: playlistRow };
/** The maximum number of hits of one type shown from the library. The library's page shows the rest. */
const mostOwn = 5;

/** The results of a search: first those in the person's library, then those on Spotify. */
export class SearchResults {
    element = element("div", { class: "search-results", hidden: true });
    #status = element("p", { class: "secondary", role: "status" });
    #signal;
    #screen;
    #request = new AbortController();
    #text = "";

    /** `screen` names the page's search, so that a newer search ends an older one. */
    constructor({ signal, screen }) {
        this.#signal = signal;
        this.#screen = screen;
        signal.addEventListener("abort", () => this.#request.abort());
    }

    /** Shows the results, or nothing for an empty text. */
    async show(text) {
        this.#request.abort();
        this.#request = new AbortController();
        const { signal } = this.#request;
        this.#text = text;
        this.element.hidden = text === "";
        if (text === "") return this.element.replaceChildren();
        this.#status.textContent = "Searching …";
        this.element.setAttribute("aria-busy", "true");
        if (!this.#status.isConnected) this.element.prepend(this.#status);
        try {
            const answer = await api.get(`/v1/search?${this.#query({ screen: this.#screen })}`, { signal });
            if (!signal.aborted) this.#render(answer, signal);
        } catch (problem) {
            if (signal.aborted || problem.status === 401 || problem.code === "superseded") return;
            this.element.replaceChildren(problemView(problem, () => this.show(text), { level: 2 }));
        } finally {
            if (!signal.aborted) this.element.removeAttribute("aria-busy");
        }
    }

    #query(values = {}) {
        return new URLSearchParams({ q: this.#text, ...values });
    }

    #render(answer, signal) {
        const own = this.#ownSections(answer.library);
        const found = Object.entries(sections).filter(([, { member }]) => answer[member]?.items.length > 0);
        const spotify = found.map(([type, { title, member }]) =>
            part(title, hitList(type, answer[member], {
                label: `${title} on Spotify`, signal,
                path: (cursor) => `/v1/search?${this.#query({ cursor })}`,
                read: (further) => further[member],
            })));
        const nothing = answer.problem === null && found.length === 0;
        this.#status.textContent = this.#summary(answer, found);
        announce(this.#status.textContent);
        this.element.replaceChildren(this.#status,
            own.length > 0 && element("section", { class: "found", "aria-label": "In your library" },
                element("h2", {}, "In your library"), own) || "",
            element("section", { class: "found", "aria-label": "On Spotify" },
                element("h2", {}, "On Spotify"),
                answer.problem ? catalogProblemView(answer.problem, () => this.show(this.#text), { level: 3 }) : spotify,
                nothing && emptyView({
                    picture: "music", title: "Nothing found on Spotify", level: 3,
                    text: "Try another spelling, or fewer words.",
                })));
    }

    #summary(answer, found) {
        const counts = Object.values(sections).map(({ member, noun }) => {
            const total = answer.library?.[member]?.total ?? 0;
            return total > 0 && counted(total, noun);
        }).filter(Boolean);
        const own = counts.length > 0 ? `In your library: ${counts.join(", ")}.` : "Nothing in your library.";
        if (answer.problem) return `${own} Spotify was not searched.`;
        const others = found.map(([, { title }]) => title.toLowerCase()).join(", ");
        if (others) return `${own} On Spotify: ${others}.`;
        return counts.length > 0 ? `${own} Nothing on Spotify.` : "Nothing in your library or on Spotify.";
    }

    #ownSections(library) {
        return Object.values(sections).filter(({ member }) => library[member]?.items.length > 0)
            .map(({ title, member, noun }) => {
                const { items, total } = library[member];
                const all = `/library?${new URLSearchParams(
                    { ...(member !== "tracks" && { show: member }), q: this.#text })}`;
                return part(title,
                    element("ul", { class: "rows", "aria-label": `${title} in your library` },
                        items.slice(0, mostOwn).map((item) => ownRows[member](item))),
                    total > mostOwn && element("p", {},
                        element("a", { href: all }, `All ${counted(total, noun)} in your library`)));
            });
    }
}

function part(title, ...content) {
    return element("div", { class: "found-part" }, element("h3", {}, title), content);
}
