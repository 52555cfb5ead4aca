import { api } from "../shell/api.js";
import { replaceAddress } from "../shell/navigate.js";
import { DataTable } from "../ui/data-table.js";
import { element, freshID } from "../ui/dom.js";
import { counted, grouped } from "../ui/formats.js";
import { problemView } from "../ui/problem-view.js";

const periods = { week: "This week", month: "This month", year: "This year", all: "All", range: "From … to …" };
const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/**
 * Somebody's stats of a period that the reader chooses, and that is a part of the page's `address`. `path` is the
 * API's. `nothing()` is shown for a period without listens, `note(stats)` at the end, and `failure(problem, load)`
 * returns the view of an error. Returns `{ elements, load }`.
 */
export function statsView({ address, path, signal, nothing, note, failure = problemWithRetry }) {
    const given = new URLSearchParams(location.search);
    let period = given.has("from") || given.has("to") ? "range" : given.get("period");
    if (!Object.hasOwn(periods, period)) period = "month";
    const container = element("div", { class: "stats" }, element("p", { class: "secondary" }, "Loading …"));
    const dates = ["from", "to"].map((name) => {
        const id = freshID(name);
        const input = element("input", { type: "date", id, name, value: given.get(name), onchange: load });
        return { name, input, field: element("div", { class: "field" },
            element("label", { for: id }, name === "from" ? "First day" : "Last day"), input) };
    });
    const range = element("div", { class: "stats-range" }, dates.map(({ field }) => field));
    return { elements: [choice(), range, container], load };

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
        replaceAddress(`${address}?${query}`);
        try {
            const stats = await api.get(`${path}?${query}&limit=20`, { signal });
            const parts = stats.listens === 0 ? [nothing()] : [...content(stats), note(stats)];
            container.replaceChildren(...parts.filter(Boolean));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            container.replaceChildren(failure(problem, load));
        }
    }
}

function problemWithRetry(problem, retry) {
    return problemView(problem, retry, { level: 2 });
}

function content(stats) {
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
    ];
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
