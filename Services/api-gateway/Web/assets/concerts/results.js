import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { ConcertList } from "./concert-list.js";
import { ConcertPages, searchPath, shownAtATime } from "./concert-pages.js";
import { connection } from "../shell/connection.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { groupings } from "./grouping.js";
import { preference, remember } from "../shell/preferences.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { resultsTools } from "./results-tools.js";
import { searchOutcome } from "./search-outcome.js";
import { SearchProgress } from "./search-progress.js";
import { searchWarnings } from "./search-warnings.js";
import { watchSearch } from "./search-watch.js";

export function show({ main, signal, parameters }) {
    const id = parameters.search;
    const path = searchPath(id);
    const pages = new ConcertPages(path, { signal });
    const list = new ConcertList(id);
    const progress = new SearchProgress({ stop });
    const tools = resultsTools(id, { grouping: currentGrouping(), choose });
    const error = element("p", { class: "field-error", role: "alert" });
    const heading = element("h1", { tabindex: "-1" }, "Concerts");
    const status = element("p", { class: "count" });
    const [progressContainer, warningsContainer] = [element("div"), element("div")];
    const container = element("div", { class: "below-heading" });
    const more = element("button", { class: "button more", type: "button", onclick: loadMore }, "Load more");
    let watching = null;

    main.replaceChildren(
        element("nav", { class: "way", "aria-label": "Back" },
            element("a", { href: "/explore/concerts" }, "← Your artists")),
        element("div", { class: "headline" }, heading, status),
        progressContainer, warningsContainer, error, container);
    container.append(element("p", { class: "secondary", role: "status" }, "Loading the concerts …"));
    connection.addEventListener("restored", () => pages.search ?? load(), { signal });
    signal.addEventListener("abort", () => watching?.abort());
    load();
    return "Concerts";

    async function load() {
        try {
            await pages.begin();
            if (groupings.date === grouping()) await pages.readUpTo(Infinity);
            render();
            if (pages.search.state !== "running") announceOutcome();
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            if (problem.status === 404) return showUnknown();
            container.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    function render() {
        const { search } = pages;
        const isRunning = search.state === "running";
        if (isRunning) watch(search);
        else progressContainer.replaceChildren();
        warningsContainer.replaceChildren(...[!isRunning && searchWarnings(search, { retry })].filter(Boolean));
        list.clear();
        const hasConcerts = pages.concerts.length > 0;
        if (hasConcerts) {
            const remarks = searchOutcome(search, { hasConcerts, retry });
            container.replaceChildren(...[tools, remarks, list.element, more].filter(Boolean));
            reveal(shownAtATime);
        } else if (isRunning) {
            container.replaceChildren();
            status.textContent = "";
        } else {
            container.replaceChildren(searchOutcome(search, { hasConcerts, retry }));
            status.textContent = "";
        }
    }

    /** Shows the first `count` of the concerts read so far. Returns the element of the first new one. */
    function reveal(count) {
        const first = list.show(pages.concerts, grouping(), count);
        const isAll = pages.isComplete && list.count === pages.concerts.length;
        more.hidden = isAll;
        status.textContent = isAll ? counted(list.count, "concert") : `The first ${counted(list.count, "concert")}`;
        return first;
    }

    async function loadMore() {
        error.textContent = "";
        const count = list.count + shownAtATime;
        more.disabled = true;
        try {
            await pages.readUpTo(grouping() === groupings.date ? Infinity : count);
            const first = reveal(count);
            first?.querySelector("article").focus({ preventScroll: true });
            announce(`${status.textContent} ${more.hidden ? "are shown. That is the whole list." : "are shown."}`);
        } catch (problem) {
            fail(problem);
        } finally {
            more.disabled = false;
        }
    }

    // MARK: Grouping

    function grouping() {
        return groupings[currentGrouping()];
    }

    async function choose(name) {
        remember("grouping", name);
        const count = Math.max(list.count, shownAtATime);
        error.textContent = "";
        try {
            // The concert with the first date may be on the last page.
            await pages.readUpTo(grouping() === groupings.date ? Infinity : count);
            reveal(count);
            announce(`Grouped by ${name}.`);
        } catch (problem) {
            fail(problem);
        }
    }

    // MARK: The running search

    function watch(search) {
        if (!progress.element.isConnected) progressContainer.replaceChildren(progress.element);
        progress.setStopping(false);
        progress.show(search);
        if (watching) return;
        watching = new AbortController();
        watchSearch(id, { signal: watching.signal, changed, failed: fail });
    }

    function changed(search) {
        if (!watching) return;
        pages.search = { ...pages.search, ...search };
        progress.show(search);
        if (search.state === "running") return;
        watching.abort();
        watching = null;
        finish();
    }

    function announceOutcome() {
        const found = status.textContent || "No concerts found";
        const gaps = pages.search.warnings.length > 0 ? " There are warnings." : "";
        announce(pages.search.state === "cancelled" ? `The search was stopped. ${found}.` : `${found}.${gaps}`);
    }

    async function finish() {
        await load();
        if (signal.aborted) return;
        // The stop button had the focus, and is no longer on the page.
        if (document.activeElement === document.body) heading.focus({ preventScroll: true });
    }

    async function stop() {
        progress.setStopping(true);
        error.textContent = "";
        try {
            changed(await api.post(`${path}/cancel`));
        } catch (problem) {
            // The search had ended already. Its results are being loaded.
            if (problem.code === "alreadyFinished") return;
            progress.setStopping(false);
            fail(problem);
        }
    }

    async function retry() {
        error.textContent = "";
        try {
            pages.search = { ...pages.search, ...await api.post(`${path}/retry`) };
            warningsContainer.replaceChildren();
            if (pages.search.state !== "running") return await finish();
            if (pages.concerts.length === 0) container.replaceChildren();
            watch(pages.search);
            progress.focusStop();
            announce("Searching again.");
        } catch (problem) {
            if (problem.code === "nothingToRetry") return load();
            fail(problem);
        }
    }

    // MARK: Errors

    function fail(problem) {
        if (signal.aborted || problem.status === 401) return;
        error.textContent = messageFor(problem);
    }

    function showUnknown() {
        container.replaceChildren(searchOutcome(null, {}));
    }
}

function currentGrouping() {
    const name = preference("grouping", "artist");
    return name in groupings ? name : "artist";
}
