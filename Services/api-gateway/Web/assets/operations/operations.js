import { forAdminsOnly } from "./admins-only.js";
import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { DeadLetters } from "./dead-letters.js";
import { element } from "../ui/dom.js";
import { bytes, clockTime, decimal, seconds } from "../ui/formats.js";
import { operationsCharts } from "./operations-charts.js";
import { kindsTable, permitsTable, upstreamTable, workersTable } from "./operations-tables.js";
import { messageFor, problemView } from "../ui/problem-view.js";

/** How often the page reads the numbers, in milliseconds. */
const interval = 5_000;

/** The numbers at the top: the name of each, and its text for an overview. */
const tiles = [
    ["Queued", ({ jobs }) => decimal(jobs.queued)],
    ["Running", ({ jobs }) => decimal(jobs.running)],
    ["Dead letters", ({ deadLetters }) => decimal(deadLetters)],
    ["Workers", ({ workers }) => decimal(workers)],
    ["Oldest queued", ({ oldestQueuedSeconds: age }) => age === null ? "none" : seconds(age)],
    ["Longest running", ({ oldestRunningSeconds: age }) => age === null ? "none" : seconds(age)],
    ["Write-ahead log", ({ walBytes }) => bytes(walBytes)],
    ["Open breakers", ({ breakers }) => openBreakers(breakers)],
];

export function show({ main, signal }) {
    const title = "Operations";
    const refusal = forAdminsOnly(title);
    if (refusal) {
        main.replaceChildren(...refusal);
        return title;
    }
    const values = tiles.map(() => element("dd", {}, "–"));
    const charts = operationsCharts();
    const [workers, permits, kinds, upstream] = [workersTable(), permitsTable(), kindsTable(), upstreamTable()];
    const letters = new DeadLetters({ signal });
    const asOf = element("p", { class: "count" });
    const error = element("p", { class: "field-error", role: "alert" });
    const content = element("div", { hidden: true },
        element("dl", { class: "tiles" }, tiles.map(([name], index) =>
            element("div", { class: "card" }, element("dt", {}, name), values[index]))),
        section("The last half hour", element("div", { class: "charts" }, charts.elements)),
        section("Workers", workers.element),
        section("Permits", permits.element),
        section("Dead letters", letters.element),
        section("Jobs by kind", kinds.element),
        section("Requests to other services", upstream.element),
        element("p", {}, element("a", { href: "/operations/components" }, "Page components")));
    const waiting = element("div", { class: "below-heading" },
        element("p", { class: "secondary", role: "status" }, "Loading the numbers …"));
    main.replaceChildren(
        element("div", { class: "headline" }, element("h1", {}, title), asOf),
        element("div", { class: "detail-buttons" },
            element("a", { class: "button", href: "/operations/accounts" }, "Accounts"),
            element("a", { class: "button", href: "/operations/reports" }, "Reports")),
        error, waiting, content);
    const timer = setInterval(() => document.hidden || load(), interval);
    signal.addEventListener("abort", () => clearInterval(timer));
    connection.addEventListener("restored", load, { signal });
    load();
    return title;

    async function load() {
        const read = (what) => api.get(`/v1/admin/${what}`, { signal });
        try {
            const [overview, series, workerList, permitList] = await Promise.all(
                [read("overview"), read("series"), read("workers"), read("permits")]);
            tiles.forEach(([, text], index) => {
                values[index].textContent = text(overview);
            });
            charts.show(series);
            workers.show(workerList.items);
            permits.show(permitList.items);
            kinds.show(overview.kinds);
            upstream.show(overview.upstream);
            await letters.update(overview.deadLetters);
            asOf.textContent = `As of ${clockTime(overview.at, { withSeconds: true })}`;
            error.textContent = "";
            waiting.replaceChildren();
            content.hidden = false;
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            if (content.hidden) waiting.replaceChildren(problemView(problem, load, { level: 2 }));
            // The banner shows a lost connection.
            else if (problem.status !== 0) error.textContent = messageFor(problem);
        }
    }
}

function section(title, ...children) {
    return element("section", { class: "operations-section" }, element("h2", {}, title), children);
}

/** The services whose calls are held back. */
function openBreakers(breakers) {
    const open = breakers.filter(({ state }) => state !== "closed").map(({ provider }) => provider);
    return open.length > 0 ? open.join(", ") : "none";
}
