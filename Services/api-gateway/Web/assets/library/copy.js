import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted, grouped } from "../ui/formats.js";
import { messageFor } from "../ui/problem-view.js";
import { sourceName } from "../ui/sources.js";
import { missingEntries } from "./copy-choices.js";
import { backToLibrary, libraryItemView } from "./item-view.js";
import { libraryEdits } from "../songs/library-edits.js";

/** The page that shows how a playlist is copied to another service. */
export function show({ main, signal, scrollPosition, parameters: { id } }) {
    const path = `/v1/library/copies/${id}`;
    let last = null;
    const { title, load } = libraryItemView({ main, signal, scrollPosition }, {
        title: "Copy of a playlist", noun: "copy", path,
        missingText: "It may have been deleted, or the address may be mistyped.",
        back: backToLibrary("/library?show=playlists", "Playlists"),
        content: (copy) => {
            if (last && last !== copy.state && copy.state === "complete") announce("The copy is complete.");
            last = copy.state;
            return [header(copy), outcome(copy, { signal, load: () => load() }),
                copy.notFound.length > 0 && missingEntries(copy, { signal, changed: () => load() })];
        },
    });
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset"]) stream.addEventListener(event, () => last && load(), { signal });
    stream.addEventListener("libraryCopy", ({ detail }) => detail.id === id && load(), { signal });
    return title;
}

function header({ name, to, playlistId, playlist }) {
    return element("header", {},
        element("h1", {}, "“", element("bdi", {}, name), `” in ${sourceName(to)}`),
        element("div", { class: "detail-buttons" },
            playlist && element("a", { class: "button primary", href: `/library/playlists/${playlist}` },
                "Show the new playlist"),
            element("a", { class: "button", href: `/library/playlists/${playlistId}` }, "Show the original")));
}

function outcome(copy, { signal, load }) {
    const { state, total, matched, placed, missing, leftOut } = copy;
    if (state === "failed") return element("p", { class: "field-error", role: "alert" }, copy.error.message);
    if (state === "unclear") return question(copy, { signal, load });
    if (state === "complete") {
        const parts = [
            missing > 0 && `${grouped(missing)} not found`, leftOut > 0 && `${grouped(leftOut)} left out`,
        ].filter(Boolean);
        return element("div", { role: "status" },
            element("p", {},
                `${grouped(placed)} of ${counted(total, "song")} copied${parts.map((part) => `, ${part}`).join("")}.`),
            copy.notice && element("p", { class: "field-error" }, copy.notice));
    }
    return element("div", { class: "upload" },
        element("p", { role: "status" }, state === "queued" ? "Waiting to start …" : progress(copy)),
        element("progress", { max: total, value: matched < total ? matched : placed, "aria-label": "Progress of the copy" }));
}

function progress({ total, matched, placed, missing, leftOut, to }) {
    if (matched < total) return `Finding songs: ${grouped(matched)} of ${grouped(total)}`;
    const wanted = total - missing - leftOut;
    if (placed < wanted) return `Adding songs: ${grouped(placed)} of ${grouped(wanted)}`;
    return to === "appleMusic"
        ? "All songs are added. Apple Music shows them with a delay, so Backline checks the copy in a minute."
        : "All songs are added. Backline is checking the copy.";
}

/** Asks whether the copy was made: the service did not answer a write, or does not show the new playlist. */
function question(copy, { signal, load }) {
    const error = element("p", { class: "field-error", role: "alert" });
    const button = (text, isDone) => element("button", { class: "button", type: "button", onclick: async () => {
        try {
            if (copy.editId) await libraryEdits.answer({ id: copy.editId }, isDone);
            else await api.post(`/v1/library/copies/${copy.id}/answer`, { done: isDone }, { signal });
            await load();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    } }, text);
    return element("section", { class: "card", "aria-label": "Question about the copy" },
        element("p", {}, copy.question), error,
        element("div", { class: "detail-buttons" }, button("Yes, it is there", true),
            button(copy.editId ? "No, make it again" : "No, it is not", false)));
}
