import { api } from "../shell/api.js";
import { element, freshID } from "../ui/dom.js";
import { trackTime } from "../ui/formats.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { sourceBadges } from "./rows.js";

/** How long the search waits for the next keystroke, in milliseconds, and the maximum number of songs it shows. */
const pause = 300;
const most = 20;

/** Asks for the song that is the same as a track. Resolves to the chosen song, or to `null` if none was chosen. */
export function openMergeSheet(track, { signal }) {
    return openSheet({ title: `Which song is the same as “${track.title}”?`, content: (close) => chooser(close) });

    function chooser(close) {
        const id = freshID("merge-search");
        const list = element("ul", { class: "choices", "aria-label": "Songs found" });
        const status = element("p", { class: "secondary", role: "status" });
        let [timer, request] = [null, new AbortController()];
        const search = element("input", {
            type: "search", id, value: track.title, autocomplete: "off", maxlength: "200", oninput: () => {
                clearTimeout(timer);
                timer = setTimeout(find, pause);
            },
        });
        find();
        return [
            element("p", { class: "secondary" }, "They become one song, even in later syncs. You can undo this."),
            element("form", { class: "field", role: "search", onsubmit: (event) => {
                event.preventDefault();
                clearTimeout(timer);
                find();
            } }, element("label", { for: id }, "Search songs"), search),
            status, list,
        ];

        async function find() {
            request.abort();
            request = new AbortController();
            const own = AbortSignal.any([signal, request.signal]);
            const parts = new URLSearchParams({ q: search.value.trim(), limit: most + 1 });
            try {
                const { items } = await api.get(`/v1/library/tracks?${parts}`, { signal: own });
                const others = items.filter((one) => one.id !== track.id).slice(0, most);
                list.replaceChildren(...others.map((one) => choice(one)));
                status.textContent = others.length > 0 ? "" : "No other songs found.";
            } catch (problem) {
                if (!own.aborted) status.textContent = messageFor(problem);
            }
        }

        function choice(one) {
            const about = [one.artist, one.album, one.durationMs && trackTime(one.durationMs)];
            return element("li", {}, element("button", { class: "choice", type: "button", onclick: () => close(one) },
                element("span", { class: "choice-title" }, element("bdi", {}, one.title)),
                element("span", { class: "secondary" }, about.filter(Boolean).join(" · ")),
                element("span", { class: "marks" }, sourceBadges(one.sources).flatMap((mark) => [" ", mark]))));
        }
    }
}
