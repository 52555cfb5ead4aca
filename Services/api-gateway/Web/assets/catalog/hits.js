import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted, grouped } from "../ui/formats.js";
import { messageFor } from "../ui/problem-view.js";
import { rows } from "./rows.js";

/** The types of hits in their order: their headings, and their members in an answer. */
export const sections = {
    track: { title: "Songs", member: "tracks", noun: "song" },
    artist: { title: "Artists", member: "artists", noun: "artist" },
    album: { title: "Albums", member: "albums", noun: "album" },
    playlist: { title: "Playlists", member: "playlists", noun: "playlist" },
};

/**
 * A list of items of one type, with a button for the next page. `path(cursor)` is the API's path for that page, and
 * `read(answer)` returns `{items, total, nextCursor}` from its answer.
 */
export function hitList(type, page, { label, path, read, signal, row = rows[type] }) {
    const list = element("ul", { class: "rows", "aria-label": label }, page.items.map((item) => row(item)));
    const error = element("p", { class: "field-error", role: "alert" });
    const more = element("button", { class: "button", type: "button", onclick: next }, "Show more");
    let { nextCursor } = page;
    more.hidden = !nextCursor;
    return element("div", { class: "hits" }, list, error, more);

    async function next() {
        if (more.ariaDisabled === "true") return;
        more.ariaDisabled = "true";
        error.textContent = "";
        try {
            const further = read(await api.get(path(nextCursor), { signal }));
            const made = further.items.map((item) => row(item));
            list.append(...made);
            ({ nextCursor } = further);
            more.hidden = !nextCursor;
            announce(`${counted(made.length, sections[type].noun)} more, ${grouped(list.children.length)} shown.`);
            // The focus was on the button, which is hidden now.
            if (more.hidden) made[0]?.querySelector("a")?.focus();
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            error.textContent = messageFor(problem);
        } finally {
            more.ariaDisabled = "false";
        }
    }
}
