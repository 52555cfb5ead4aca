import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { announce } from "../ui/announcer.js";
import { element, hiddenText } from "../ui/dom.js";
import { counted, weekday } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
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
            list.querySelectorAll(".listen")[first]?.focus();
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
            : element("ul", { class: "listens", "aria-label": "Songs" }, songs.map(row)));
    }

    function row(song) {
        const title = song.title ?? "A song that you have not played here";
        const words = element("bdi", {}, title);
        return element("li", { class: "listen", tabindex: "-1" },
            element("div", {},
                element("p", {}, song.trackId
                    ? element("a", { href: `/library/tracks/${song.trackId}` }, words) : words),
                element("p", { class: "secondary" }, song.artist && [element("bdi", {}, song.artist), " · "],
                    feedbackNames[song.feedback], " · ", weekday(song.createdAt))),
            element("button", { class: "icon-button", type: "button", onclick: () => forget(song, title) },
                icon("cross"), hiddenText(`Remove from ${feedbackNames[song.feedback]}: ${title}`)));
    }

    async function forget({ id }, title) {
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
