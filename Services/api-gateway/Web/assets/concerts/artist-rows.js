import { element, freshID, hiddenText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { picture } from "../ui/picture.js";

/** The maximum number of an artist's genres shown. */
const mostGenres = 3;

/**
 * The rows of the ranked artists. A row keeps its element while its artist is in the list, so that the focus and the
 * animation survive a change. `actions` has `move(artist, rank)` and `remove(artist)`.
 */
export class ArtistRows {
    #rows = new Map();
    #actions;
    #hint = freshID("reorder-hint");
    list = element("ol", { class: "artists", "aria-label": "Your artists, best first" });
    /** The description of the handles; it belongs beside the list. */
    hint = element("p", { id: this.#hint, hidden: true },
        "Use the up and down arrow keys to move the artist, Home for the first rank and End for the last, or drag it. "
            + "Delete removes it; with a finger, swipe the row to a side.");

    constructor(actions) {
        this.#actions = actions;
    }

    show(artists) {
        const focused = document.activeElement;
        const before = new Map([...this.#rows].map(([id, row]) => [id, row.element.offsetTop]));
        this.#dropRowsOf(artists);
        const rows = artists.map((artist) => this.#row(artist, artists.length));
        rows.forEach((row, index) => {
            const inPlace = this.list.children[index];
            if (inPlace !== row.element) this.list.insertBefore(row.element, inPlace ?? null);
        });
        // A row that moves in the document loses the focus.
        if (this.list.contains(focused) && document.activeElement !== focused) focused.focus({ preventScroll: true });
        this.#glide(before);
    }

    /** The id of a row's artist; `null` for other elements. */
    idOf(row) {
        return row.dataset.artist ?? null;
    }

    /** Moves the focus to the row after a removed one, or to the last row. Returns false when no row is left. */
    focusRemoval(index) {
        const row = this.list.children[Math.min(index, this.list.children.length - 1)];
        row?.querySelector("[data-action=remove]").focus();
        return Boolean(row);
    }

    #dropRowsOf(artists) {
        const ids = new Set(artists.map((artist) => artist.id));
        for (const [id, row] of this.#rows) {
            if (ids.has(id)) continue;
            row.element.remove();
            this.#rows.delete(id);
        }
    }

    #row(artist, count) {
        const row = this.#rows.get(artist.id) ?? this.#makeRow(artist);
        row.show(artist, count);
        return row;
    }

    #makeRow(first) {
        let artist = first;
        const rank = element("span", { class: "rank", "aria-hidden": "true" });
        const spoken = hiddenText("");
        const button = (action, glyph, label, onclick, properties = {}) =>
            element("button", {
                type: "button", class: "icon-button", "data-action": action, title: label,
                "aria-label": `${label} ${first.name}`, onclick, ...properties,
            }, icon(glyph));
        const move = (rank) => this.#actions.move(artist, rank);
        // aria-disabled, unlike disabled, keeps the focus on a button that has just moved its row to the end.
        const up = button("up", "up", "Move up:", () => isOn(up) && move(artist.rank - 1));
        const down = button("down", "down", "Move down:", () => isOn(down) && move(artist.rank + 1));
        const remove = button("remove", "cross", "Remove:", () => isOn(remove) && this.#actions.remove(artist));
        let length = 0;
        const handle = button("drag", "grip", "Reorder:", null, {
            class: "icon-button handle", "aria-describedby": this.#hint,
            onkeydown: (event) => {
                if (event.key === "Delete" && isOn(handle)) {
                    event.preventDefault();
                    return this.#actions.remove(artist);
                }
                const rank = { ArrowUp: artist.rank - 1, ArrowDown: artist.rank + 1, Home: 1, End: length }[event.key];
                if (rank === undefined) return;
                event.preventDefault();
                if (isOn(handle) && rank >= 1 && rank <= length && rank !== artist.rank) move(rank);
            },
        });
        const row = element("li", { class: "artist", "data-artist": first.id },
            handle, rank, picture(first.picture, first.name),
            element("span", { class: "artist-name", "aria-hidden": "true" }, first.name), spoken,
            element("span", { class: "artist-actions" }, up, down, remove));
        if (first.genres?.length > 0) {
            row.querySelector(".artist-name").append(
                element("span", { class: "artist-genres" }, first.genres.slice(0, mostGenres).join(", ")));
        }
        const made = {
            element: row,
            show: (now, count) => {
                artist = now;
                length = count;
                rank.textContent = artist.rank;
                // Screen readers use the label for the list item, and the text when they read through the row.
                const description = `${artist.name}, ranked number ${artist.rank}`;
                row.setAttribute("aria-label", description);
                spoken.textContent = description;
                row.classList.toggle("unsaved", Boolean(artist.isNew));
                setOn(up, !artist.isNew && artist.rank > 1);
                setOn(down, !artist.isNew && artist.rank < count);
                setOn(remove, !artist.isNew);
                setOn(handle, !artist.isNew);
            },
        };
        this.#rows.set(first.id, made);
        return made;
    }

    /** Animates the rows from their positions before the change, by id, to their current ones. */
    #glide(before) {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        for (const [id, { element: row }] of this.#rows) {
            const way = (before.get(id) ?? row.offsetTop) - row.offsetTop;
            if (way === 0 || row.classList.contains("dragged")) continue;
            row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }],
                { duration: 160, easing: "ease-out" });
        }
    }
}

function isOn(button) {
    return button.getAttribute("aria-disabled") !== "true";
}

function setOn(button, on) {
    if (on) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
}
