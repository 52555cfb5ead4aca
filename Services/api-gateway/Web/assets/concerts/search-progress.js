import { element, hiddenText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

const statuses = {
    complete: { text: "done", glyph: "check" },
    partial: { text: "incomplete", glyph: "alert" },
    failed: { text: "failed", glyph: "alert" },
    notFound: { text: "not on Ticketmaster", glyph: "dash" },
    waiting: { text: "searching …", glyph: "clock" },
};

/** The progress of a running search, artist by artist, and the button that stops it. */
export class SearchProgress {
    #bar = element("progress", { id: "search-progress", max: "1", value: "0" });
    #text = element("p", { class: "progress-text" });
    #artists = element("ul", { class: "progress-artists", "aria-label": "Artists" });
    #items = new Map();
    #stop;
    element;

    constructor({ stop }) {
        this.#stop = element("button", { class: "button", type: "button", onclick: stop }, icon("cross"), "Stop");
        this.element = element("section", { class: "card progress", "aria-labelledby": "progress-title" },
            element("div", { class: "headline" },
                element("h2", { id: "progress-title" }, "Looking for concerts"), this.#stop),
            element("label", { for: "search-progress", class: "visually-hidden" }, "Artists looked up"),
            this.#bar, this.#text, this.#artists);
    }

    show({ progress, coverage, pending }) {
        this.#bar.max = Math.max(1, progress.total);
        this.#bar.value = progress.done;
        this.#text.textContent = `${progress.done} of ${progress.total} artists`;
        const waiting = pending.map((artist) => ({ ...artist, status: "waiting" }));
        const artists = [...coverage, ...waiting].sort((first, second) => first.rank - second.rank);
        for (const { artist, status } of artists) this.#showArtist(artist, status);
    }

    setStopping(isStopping) {
        this.#stop.disabled = isStopping;
    }

    focusStop() {
        this.#stop.focus();
    }

    #showArtist(name, status) {
        let item = this.#items.get(name);
        if (!item) {
            item = element("li", {});
            this.#items.set(name, item);
            this.#artists.append(item);
        }
        if (item.dataset.status === status) return;
        item.dataset.status = status;
        const { text, glyph } = statuses[status];
        item.replaceChildren(icon(glyph), element("span", {}, name), hiddenText(": "),
            element("span", { class: "secondary" }, text));
    }
}
