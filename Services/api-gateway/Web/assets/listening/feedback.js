import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { announce } from "../ui/announcer.js";
import { playedSong } from "../songs/song.js";
import { songRow } from "../songs/song-row.js";
import { element } from "../ui/dom.js";
import { counted, shortDate } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { emptyView, messageFor } from "../ui/problem-view.js";
import { listeningTabs } from "./tabs.js";

/** A text for each kind of feedback. */
export const feedbackNames = { loved: "Loved", hated: "Not liked" };

/** The songs that the person loves or hates, as reported by their players. */
export function show({ main, signal }) {
    const status = element("p", { class: "count", role: "status" });
    const error = element("p", { class: "field-error", role: "alert" });
    const list = element("div", {}, element("p", { class: "secondary" }, "Loading …"));
    const more = element("button", { class: "button", type: "button", hidden: true, onclick: loadMore }, "Load more");
    const heading = element("h1", { tabindex: "-1" }, "Loved songs");
    let songs = [];
    let cursor = null;
    main.replaceChildren(element("div", { class: "detail" }, listeningTabs("feedback"),
        element("div", { class: "headline" }, heading, status),
        element("p", { class: "secondary" },
            "The lists made for you favor songs you love, and leave out songs you do not like."),
        error, list, more));
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset", "listen"]) stream.addEventListener(event, load, { signal });
    load();
    return "Loved songs";

    async function read(parameters) {
        const page = await api.get(`/v1/listening/feedback?${new URLSearchParams(parameters)}`, { signal });
        cursor = page.nextCursor;
        status.textContent = page.total > 0 ? counted(page.total, "song") : "";
        return page.items;
    }

    async function load() {
        try {
            songs = await read({ limit: Math.min(200, Math.max(50, songs.length)) });
            render();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    async function loadMore() {
        try {
            const first = songs.length;
            songs = [...songs, ...await read({ limit: 50, cursor })];
            render();
            list.querySelectorAll(".row")[first]?.querySelector("a").focus();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    function render() {
        more.hidden = cursor === null;
        list.replaceChildren(songs.length === 0
            ? emptyView({
                picture: "music", title: "No songs here yet",
                text: "Mark a song as loved or not liked in a connected player, and it appears here.",
                actions: [element("a", { class: "button", href: "/listening/programs" }, "Connect a player")],
            })
            : element("ul", { class: "rows", "aria-label": "Songs" }, songs.map(row)));
    }

    function row(song) {
        const title = song.title ?? "A song that you have not played here";
        const { artist, album, trackId, feedback, createdAt } = song;
        const mark = feedbackNames[feedback];
        const played = playedSong({ title, artist: artist ?? "", album, trackId });
        return songRow(song.title ? played : { ...played, preview: null, links: [] }, {
            parts: [artist && name(artist), mark], narrow: [album && name(album), shortDate(createdAt)],
            date: shortDate(createdAt),
            further: () => [{
                label: `Remove from ${mark}`, picture: "cross", action: () => removeFeedback(song, title),
            }],
        });
    }

    async function removeFeedback({ id }, title) {
        error.textContent = "";
        try {
            await api.delete(`/v1/listening/feedback/${id}`, { signal });
            announce(`Removed the mark from “${title}”.`);
            await load();
            // The button that had the focus is gone.
            heading.focus();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}
