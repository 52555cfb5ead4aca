import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { DataTable } from "../ui/data-table.js";
import { element, freshID } from "../ui/dom.js";
import { counted, grouped } from "../ui/formats.js";
import { emptyView, problemView } from "../ui/problem-view.js";
import { listeningTabs } from "./tabs.js";

const periods = { week: "This week", month: "This month", year: "This year", all: "All", range: "From … to …" };
const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** What the person listened to most, and when. */
export function show({ main, signal }) {
    const given = new URLSearchParams(location.search);
    let period = given.has("from") || given.has("to") ? "range" : given.get("period");
    if (!Object.hasOwn(periods, period)) period = "month";
    const place = element("div", { class: "stats" }, element("p", { class: "secondary" }, "Loading …"));
    const dates = ["from", "to"].map((name) => {
        const id = freshID(name);
        const input = element("input", { type: "date", id, name, value: given.get(name), onchange: load });
        return { name, input, field: element("div", { class: "field" },
            element("label", { for: id }, name === "from" ? "First day" : "Last day"), input) };
    });
    const range = element("div", { class: "stats-range" }, dates.map(({ field }) => field));
    main.replaceChildren(element("div", { class: "detail" }, listeningTabs("stats"), element("h1", {}, "Stats"),
        choice(), range, place));
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset", "listen"]) stream.addEventListener(event, load, { signal });
    load();
    return "Stats";

    function choice() {
        const name = freshID("period");
        return element("fieldset", { class: "segments" },
            element("legend", { class: "visually-hidden" }, "Period"),
            Object.entries(periods).map(([value, label]) => element("label", {},
                element("input", {
                    type: "radio", name, value, checked: value === period, onchange: () => {
                        period = value;
                        load();
                    },
                }),
                element("span", {}, label))));
    }

    async function load() {
        range.hidden = period !== "range";
        const chosen = dates.filter(({ input }) => input.value).map(({ name, input }) => [name, input.value]);
        const query = new URLSearchParams(period === "range" ? chosen : { period });
        history.replaceState(null, "", `/listening/stats?${query}`);
        try {
            const stats = await api.get(`/v1/listening/stats?${query}&limit=20`, { signal });
            place.replaceChildren(...content(stats));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            place.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }
}

function content(stats) {
    if (stats.listens === 0) {
        return [emptyView({
            picture: "clock", title: "No listens in this period",
            text: "Choose another period, or see where your listens come from.",
            actions: [element("a", { class: "button", href: "/listening/programs" }, "Sources")],
        })];
    }
    return [
        element("p", { class: "lead", role: "status" }, [
            counted(stats.listens, "listen"), counted(stats.minutes, "minute"),
            `${counted(stats.discoveries, "song")} for the first time`,
            `${counted(stats.streaks.current, "day")} in a row, longest streak ${grouped(stats.streaks.longest)}`,
        ].join(" · ")),
        top("Artists", stats.artists), top("Songs", stats.songs), top("Albums", stats.albums),
        stats.genres.length > 0 && top("Genres", stats.genres),
        times("Hours", stats.byHour, (index) => `${String(index).padStart(2, "0")}:00`),
        times("Days of the week", stats.byWeekday, (index) => weekdays[index]),
        element("p", { class: "secondary" }, `Days and hours are in the time zone ${stats.timeZone}. `,
            element("a", { href: "/profile/edit" }, "Change the time zone")),
    ].filter(Boolean);
}

function top(title, entries) {
    const table = new DataTable({
        caption: title, nothing: "Nothing yet", columns: [
            { name: "Name", cell: nameCell },
            { name: "Listens", cell: ({ listens }) => grouped(listens) },
            { name: "Minutes", cell: ({ minutes }) => grouped(minutes) },
        ],
    });
    table.show(entries);
    return element("section", { class: "card" }, element("h2", {}, title), table.element);
}

function nameCell({ name, artist, trackId }) {
    const words = element("bdi", {}, name);
    return element("span", {}, trackId ? element("a", { href: `/library/tracks/${trackId}` }, words) : words,
        artist && element("span", { class: "secondary" }, " by ", element("bdi", {}, artist)));
}

/** A chart as a table: a bar and a number for each time. */
function times(title, counts, label) {
    const most = Math.max(1, ...counts);
    const table = new DataTable({
        caption: title, nothing: "", columns: [
            { name: "Time", cell: ({ index }) => label(index) },
            {
                name: "Share", cell: ({ count }) => element("progress", {
                    class: "bar", max: String(most), value: String(count), "aria-hidden": "true",
                }),
            },
            { name: "Listens", cell: ({ count }) => grouped(count) },
        ],
    });
    table.show(counts.map((count, index) => ({ count, index })));
    return element("section", { class: "card" }, element("h2", {}, title), table.element);
}
