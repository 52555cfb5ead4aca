import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { announce } from "../ui/announcer.js";
import { confirmed } from "../ui/confirmation.js";
import { playedSong } from "../songs/song.js";
import { songRow } from "../songs/song-row.js";
import { element } from "../ui/dom.js";
import { clockOnly, counted, dayOf, weekday } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { emptyView, messageFor, problemView } from "../ui/problem-view.js";
import { connectionOffer } from "../ui/sources.js";
import { feedbackNames } from "./feedback.js";
import { listeningSourceNames } from "./sources.js";
import { listeningTabs } from "./tabs.js";

/** What the person is playing now, and what they have played. */
export function show({ main, signal }) {
    const now = element("div", { role: "status" });
    const status = element("p", { class: "count", role: "status" });
    const error = element("p", { class: "field-error", role: "alert" });
    const list = element("div", {}, element("p", { class: "secondary" }, "Loading …"));
    const more = element("button", { class: "button", type: "button", hidden: true, onclick: loadMore }, "Load more");
    let listens = [];
    let cursor = null;
    /** The link that connects Spotify. It is read only for an empty list. */
    let offer;
    main.replaceChildren(element("div", { class: "detail" }, listeningTabs("recent"),
        element("div", { class: "headline" }, element("h1", {}, "Listening"), status), error, now, list, more));
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset", "listen"]) stream.addEventListener(event, load, { signal });
    load();
    return "Listening";

    async function load() {
        try {
            const [{ playingNow }, page] = await Promise.all([
                api.get("/v1/listening/recent?limit=1", { signal }),
                api.get("/v1/listening/listens?limit=50", { signal }),
            ]);
            now.replaceChildren(...(playingNow ? [playing(playingNow)] : []));
            // Older pages that were loaded stay in the list.
            const shown = new Set(page.items.map(({ id }) => id));
            const last = page.items.at(-1)?.listenedAt ?? "";
            const older = listens.filter(({ id, listenedAt }) => !shown.has(id) && listenedAt < last);
            if (older.length === 0) cursor = page.nextCursor;
            listens = [...page.items, ...older];
            if (listens.length === 0) offer = connectionOffer(await api.get("/v1/setup", { signal }), "spotify");
            render(page.total);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            list.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    async function loadMore() {
        try {
            const page = await api.get(
                `/v1/listening/listens?${new URLSearchParams({ limit: 50, cursor })}`, { signal });
            const first = listens.length;
            listens = [...listens, ...page.items];
            cursor = page.nextCursor;
            render(page.total);
            list.querySelectorAll(".row")[first]?.querySelector("a").focus();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    function render(total) {
        status.textContent = total > 0 ? counted(total, "listen") : "";
        more.hidden = cursor === null;
        if (listens.length === 0) {
            list.replaceChildren(emptyView({
                picture: "music", title: "No listens yet",
                text: offer
                    ? "Your listens appear here: what you play on Spotify once it is connected, what your player sends "
                        + "and what you import from another service."
                    : "Spotify is connected: what you play there appears here within twenty minutes. You can also "
                        + "connect a player, or import your history from another service.",
                actions: [
                    offer && element("a", { class: "button", href: offer.href }, offer.text),
                    element("a", { class: "button", href: "/listening/programs" }, "Connect a player"),
                    element("a", { class: "button", href: "/library/import" }, "Import a file"),
                ].filter(Boolean),
            }));
            return;
        }
        const days = Map.groupBy(listens, ({ listenedAt }) => dayOf(listenedAt));
        list.replaceChildren(...[...days.values()].map((items) => element("section", { class: "listen-day" },
            element("h2", {}, weekday(items[0].listenedAt)),
            element("ul", { class: "rows listens", "aria-label": `Listens of ${weekday(items[0].listenedAt)}` },
                items.map(row)))));
    }

    function row(listen) {
        const { id, listenedAt, artist, sources, feedback } = listen;
        return songRow(playedSong(listen, { listenId: id }), {
            lead: element("time", { class: "row-lead", datetime: listenedAt }, clockOnly(listenedAt)),
            parts: [name(artist), sources.map((source) => listeningSourceNames[source] ?? source).join(", "),
                feedback && feedbackNames[feedback]],
            further: () => [{ label: "Delete this listen", picture: "cross", action: () => remove(listen) }],
        });
    }

    async function remove(listen) {
        const isMeant = await confirmed({
            title: `Delete this listen of “${listen.title}”?`,
            text: "It stays deleted, even if a service reports it again.", action: "Delete",
        });
        if (!isMeant || signal.aborted) return;
        try {
            await api.delete(`/v1/listening/listens/${listen.id}`, { signal });
            listens = listens.filter(({ id }) => id !== listen.id);
            announce("The listen was deleted.");
            await load();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}

function playing({ title, artist }) {
    return element("p", { class: "card playing-now" }, icon("waves"),
        element("span", {}, "Playing now: ", element("bdi", {}, title), " by ", element("bdi", {}, artist)));
}
