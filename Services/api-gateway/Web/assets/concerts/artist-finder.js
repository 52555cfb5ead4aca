import { requireSpotify } from "../connections/spotify-access.js";
import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { picture } from "../ui/picture.js";
import { messageFor } from "../ui/problem-view.js";

/** How long the search waits for the next keystroke, in milliseconds. */
const pause = 300;
/** The maximum number of an artist's genres shown. */
const mostGenres = 3;

/**
 * Finds artists on Spotify while a person types into `field`, and offers to add them with `add(artist)`. Without a
 * connection to Spotify it says so; names can still be typed.
 */
export class ArtistFinder {
    #status = element("p", { class: "hint", role: "status" });
    #hits = element("ul", { class: "artist-hits", "aria-label": "Artists on Spotify" });
    element = element("div", { class: "artist-finder", hidden: true }, this.#status, this.#hits);
    #list;
    #field;
    #add;
    #request = new AbortController();
    #timer = null;
    #found = [];
    /** Whether Spotify could be asked at the last search. */
    #isUsable = false;

    constructor(list, { field, signal, add }) {
        this.#list = list;
        this.#field = field;
        this.#add = add;
        field.addEventListener("input", () => this.#schedule(), { signal });
        field.addEventListener("keydown", (event) => this.#handleKey(event), { signal });
        this.#hits.addEventListener("keydown", (event) => this.#handleKey(event), { signal });
        list.addEventListener("change", () => this.#render(), { signal });
        signal.addEventListener("abort", () => this.clear());
    }

    /** Clears the search and its results. */
    clear() {
        clearTimeout(this.#timer);
        this.#request.abort();
        this.#found = [];
        this.#hits.replaceChildren();
        this.#status.replaceChildren();
        this.element.hidden = true;
    }

    #schedule() {
        clearTimeout(this.#timer);
        if (this.#field.value.trim() === "") return this.clear();
        this.#timer = setTimeout(() => this.#search(), pause);
    }

    async #search() {
        const text = this.#field.value.trim();
        this.#request.abort();
        this.#request = new AbortController();
        const { signal } = this.#request;
        this.element.hidden = false;
        this.#status.textContent = "Searching Spotify …";
        try {
            if (!this.#isUsable) await requireSpotify({ signal });
            this.#isUsable = true;
            const query = new URLSearchParams({ q: text, screen: "artists" });
            const answer = await api.get(`/v1/artists/search?${query}`, { signal });
            if (signal.aborted) return;
            this.#found = answer.items;
            this.#status.textContent = answer.items.length === 0
                ? "No such artist on Spotify. You can still add the name."
                : `${counted(answer.items.length, "artist")} on Spotify.`;
            this.#render();
        } catch (problem) {
            if (signal.aborted || problem.status === 401 || problem.code === "superseded") return;
            if (problem.code === "spotifyNotConnected") this.#isUsable = false;
            this.#found = [];
            this.#render();
            this.#status.replaceChildren(...this.#failure(problem));
        }
    }

    #failure(problem) {
        if (problem.code === "spotifyNotConnected") {
            return [element("a", { href: "/setup/spotify" }, "Connect Spotify"),
                " to find artists as you type. You can add any name without it."];
        }
        return [`Spotify was not searched. ${messageFor(problem)} You can still add the name. `,
            element("button", { class: "button small", type: "button", onclick: () => {
                this.#field.focus();
                this.#search();
            } }, icon("refresh"), "Retry")];
    }

    #render() {
        const focused = document.activeElement?.closest(".artist-hits > li")?.dataset.hit;
        this.#hits.replaceChildren(...this.#found.map((artist) => this.#hit(artist)));
        if (focused) this.#hits.querySelector(`[data-hit="${focused}"] button`)?.focus();
    }

    #hit(artist) {
        const { name, genres, sourceId } = artist;
        return element("li", { class: "artist-hit", "data-hit": sourceId },
            picture(artist.picture, name),
            element("div", { class: "artist-words" },
                element("p", { class: "artist-name" }, element("bdi", {}, name)),
                genres.length > 0 && element("p", { class: "secondary" }, genres.slice(0, mostGenres).join(", "))),
            this.#offer(artist));
    }

    #offer(artist) {
        if (this.#isListed(artist)) return element("p", { class: "secondary" }, "Already added");
        if (this.#list.isFull) return element("p", { class: "secondary" }, "The list is full");
        return element("button", {
            class: "button small", type: "button", "aria-label": `Add ${artist.name}`,
            onclick: () => this.#add(artist),
        }, icon("plus"), "Add");
    }

    #isListed({ sourceId, name }) {
        const same = (one) => one.spotifyId === sourceId || one.name.toLowerCase() === name.toLowerCase();
        return this.#list.artists.some(same);
    }

    /** The arrow keys move through the artists that can be added; Escape closes the results. */
    #handleKey(event) {
        if (event.key === "Escape" && !this.element.hidden) {
            event.preventDefault();
            this.clear();
            return this.#field.focus();
        }
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        const targets = [this.#field, ...this.#hits.querySelectorAll("button")];
        const next = targets[targets.indexOf(document.activeElement) + step];
        if (!next || targets.length === 1) return;
        event.preventDefault();
        next.focus();
    }
}
