import { api } from "../shell/api.js";
import { element, freshID } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { name, separated } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { sourceName } from "../ui/sources.js";
import { catalogSong, librarySong } from "./song.js";

/** How long the search waits for the next keystroke, in milliseconds, and the most songs of each place. */
const pause = 350;
const most = 8;

/** Asks for a song of the library or of Spotify. Resolves to it (`song.js`), or to `null`. */
export function chooseSong({ title }) {
    const ending = new AbortController();
    return openSheet({ title, content: (close) => picker(close, ending.signal) }).finally(() => ending.abort());
}

function picker(close, ended) {
    const id = freshID("song-search");
    const status = element("p", { class: "secondary", role: "status" });
    const list = element("ul", { class: "choices", "aria-label": "Songs" });
    let [timer, request] = [null, new AbortController()];
    const field = element("input", {
        type: "search", id, autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "200",
        enterkeyhint: "search", oninput: () => wait(pause),
    });
    ended.addEventListener("abort", () => {
        clearTimeout(timer);
        request.abort();
    });
    return [
        element("form", { class: "field", role: "search", onsubmit: (event) => {
            event.preventDefault();
            wait(0);
        } }, element("label", { for: id }, "Title or artist"), field),
        status, list,
    ];

    function wait(time) {
        clearTimeout(timer);
        timer = setTimeout(search, time);
    }

    async function search() {
        request.abort();
        request = new AbortController();
        const { signal } = request;
        const text = field.value.trim();
        if (text === "") {
            list.replaceChildren();
            status.textContent = "";
            return;
        }
        status.textContent = "Searching …";
        try {
            const answer = await api.get(`/v1/search?${new URLSearchParams({ q: text, screen: "share" })}`, { signal });
            const own = (answer.library?.tracks?.items ?? []).slice(0, most);
            const known = new Set(own.map((track) => track.id));
            const others = (answer.tracks?.items ?? []).filter((one) => !known.has(one.libraryTrackId)).slice(0, most);
            list.replaceChildren(
                ...own.map((track) => choice(librarySong(track), "In your library")),
                ...others.map((track) => choice(catalogSong(track), sourceName(track.source))));
            const count = list.children.length;
            const rest = answer.problem ? " Only your library was searched." : "";
            status.textContent = `${count > 0 ? `${counted(count, "song")} found.` : "No songs found."}${rest}`;
        } catch (problem) {
            if (signal.aborted || problem.code === "superseded") return;
            list.replaceChildren();
            status.textContent = messageFor(problem);
        }
    }

    function choice(song, place) {
        return element("li", {}, element("button", { class: "choice", type: "button", onclick: () => close(song) },
            element("span", { class: "choice-title" }, name(song.title)),
            element("span", { class: "secondary" }, separated([song.artist && name(song.artist), place]))));
    }
}
