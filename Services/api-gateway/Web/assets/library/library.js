import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { element } from "../ui/dom.js";
import { counted, namesList } from "../ui/formats.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { emptyList, nothingConnected } from "./library-empty.js";
import { LibraryList } from "./library-list.js";
import { LibraryQuery } from "./library-query.js";
import { LibrarySync } from "./library-sync.js";
import { LibraryTools } from "./library-tools.js";
import { shelves } from "./shelves.js";
import { sourceName, sources } from "./sources.js";
import { SyncBanner } from "./sync-banner.js";

/** How long changes of a running sync are collected before the list is read again, in milliseconds. */
const refreshPause = 1_500;
/** How often a list is read again while a disconnected service's tracks are being removed, in milliseconds. */
const removalPause = 2_000;
/** How many rows scrolling alone adds; for more there is the button. */
const mostByScrolling = 1_000;
/** After this time, an empty library is synced again when it is opened, in milliseconds. */
const syncedLongAgo = 3_600_000;

export function show({ main, signal }) {
    let query = new LibraryQuery(location.search);
    let [summary, connected, banner] = [null, null, null];
    let [requests, hasStarted, isPressed] = [0, false, false];
    let [refreshTimer, removalTimer, leaving] = [null, null, []];
    const list = new LibraryList({ signal });
    const sync = new LibrarySync({ signal });
    const tools = new LibraryTools(query, { signal, changed: narrow });
    const status = element("p", { class: "count" });
    const error = element("p", { class: "field-error", role: "alert" });
    const more = element("button", { class: "button more", type: "button", onclick: () => loadMore() }, "Load more");
    const news = element("p", { class: "library-news", hidden: true }, "A sync has changed your library. ",
        element("button", { class: "button small", type: "button", onclick: () => begin() }, "Show it"));
    const removal = element("p", { class: "library-removal", role: "status" });
    const [bannerPlace, place, listPlace] = [element("div"), element("div"), element("div")];
    main.replaceChildren(
        element("div", { class: "headline" }, element("h1", {}, "Library"), status),
        bannerPlace, place);
    place.append(element("p", { class: "secondary", role: "status" }, "Loading your library …"));
    const bottom = new IntersectionObserver(([entry]) => {
        if (entry.isIntersecting && list.count < mostByScrolling) loadMore({ byScrolling: true });
    }, { rootMargin: "0px 0px 800px" });
    signal.addEventListener("abort", () => {
        bottom.disconnect();
        clearTimeout(refreshTimer);
        clearTimeout(removalTimer);
    });
    connection.addEventListener("restored", () => summary ?? load(), { signal });
    sync.addEventListener("change", () => {
        startIfEmpty();
        if (sync.isUnfinished) refreshSoon();
    });
    sync.addEventListener("ended", ({ detail }) => finish(detail));
    load();
    return "Library";

    async function load() {
        try {
            const [counts, checklist] = await Promise.all([
                api.get("/v1/library/summary", { signal }), api.get("/v1/setup", { signal })]);
            const isFirst = connected === null;
            connected = connectedSources(checklist);
            leaving = Object.keys(sources);
            take(counts);
            if (connected.length === 0 && counts.tracks.all === 0) return place.replaceChildren(nothingConnected());
            if (isFirst) showLists();
            await begin();
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            place.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    function showLists() {
        banner = new SyncBanner(sync, { signal, connected });
        banner.lastSyncedAt = summary.lastSyncedAt;
        if (connected.length > 0) bannerPlace.replaceChildren(banner.element);
        place.replaceChildren(removal, ways(), tools.element, listPlace);
        listPlace.append(element("p", { class: "secondary", role: "status" }, "Loading the list …"));
        sync.follow();
    }

    function take(counts) {
        summary = counts;
        tools.count(counts.tracks);
        if (banner) banner.lastSyncedAt = counts.lastSyncedAt;
        showRemoval();
    }

    /** Says which services were disconnected and still have tracks here, and looks again until those are gone. */
    function showRemoval() {
        // A service that is connected while the page is shown has tracks soon, and is not leaving.
        leaving = leaving.filter((source) => !connected.includes(source) && summary.tracks[source] > 0);
        const text = leaving.length > 0 ? `The tracks of ${namesList(leaving.map(sourceName))} are being removed.` : "";
        // The same text again would be read aloud again.
        if (removal.textContent !== text) removal.textContent = text;
        const isOver = removalTimer !== null && leaving.length === 0;
        clearTimeout(removalTimer);
        removalTimer = leaving.length > 0 ? setTimeout(lookAtRemoval, removalPause) : null;
        if (!isOver) return;
        if (connected.length === 0 && summary.tracks.all === 0) {
            status.textContent = "";
            place.replaceChildren(nothingConnected());
        } else if (list.isLong) {
            begin();
        }
    }

    async function lookAtRemoval() {
        try {
            // It may be connected again.
            if (!document.hidden) connected = connectedSources(await api.get("/v1/setup", { signal }));
        } catch {
            // As in `refresh`.
        }
        await refresh();
        // Without an answer, too, the page looks again.
        if (!signal.aborted && leaving.length > 0) showRemoval();
    }

    // MARK: The list

    /** Shows the list of the query from its beginning. */
    async function begin({ isAnnounced = false } = {}) {
        requests += 1;
        error.textContent = "";
        news.hidden = true;
        list.element.ariaBusy = "true";
        try {
            if (!await list.begin(query)) return;
            render();
            if (isAnnounced) announce(`${status.textContent}.`);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            listPlace.replaceChildren(problemView(problem, () => begin(), { level: 2 }));
        } finally {
            requests -= 1;
        }
    }

    function render() {
        list.element.ariaBusy = "false";
        status.textContent = counted(list.total, query.lists.noun);
        more.hidden = list.isComplete;
        if (list.count === 0) {
            return listPlace.replaceChildren(emptyList(query, { isSyncing: sync.isUnfinished, showAll }));
        }
        // Elements that stay in their place keep the focus.
        if (!list.element.isConnected) listPlace.replaceChildren(news, list.element, error, more);
        bottom.observe(more);
    }

    function showAll() {
        narrow({ source: "all", text: "" });
        tools.reset(query);
        tools.focus();
    }

    /** The links to the lists. */
    function ways() {
        return element("nav", { class: "shelves", "aria-label": "Parts of your library" },
            element("ul", {}, Object.entries(shelves).map(([shelf, { label }]) =>
                element("li", {}, element("a", {
                    href: shelf === "tracks" ? "/library" : `/library?show=${shelf}`,
                    "aria-current": shelf === query.shelf ? "page" : null,
                }, label)))));
    }

    /** Changes the filter, the search or the order. The page's address has them, so that a reload keeps them. */
    function narrow(values) {
        const changed = Object.assign(new LibraryQuery(query.address.split("?")[1] ?? ""), values);
        if (changed.address === query.address) return;
        query = changed;
        history.replaceState(null, "", query.address);
        begin({ isAnnounced: true });
    }

    async function loadMore({ byScrolling = false } = {}) {
        // Moving to the button may load more rows before the button is pressed: the press asks for the same rows.
        if (!byScrolling) isPressed = true;
        if (requests > 0 || list.isComplete) return;
        requests += 1;
        error.textContent = "";
        more.setAttribute("aria-disabled", "true");
        try {
            const first = await list.more();
            if (!first) return;
            more.hidden = list.isComplete;
            if (!isPressed) return;
            first.focus({ preventScroll: true });
            announce(more.hidden ? "The whole list is shown." : `${counted(list.count, query.lists.noun)} are shown.`);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        } finally {
            requests -= 1;
            isPressed = false;
            more.setAttribute("aria-disabled", "false");
        }
    }

    // MARK: The sync

    /** An empty library syncs by itself, once. */
    async function startIfEmpty() {
        if (hasStarted || !summary || summary.tracks.all > 0 || connected.length === 0) return;
        const { latest } = sync;
        const isDue = latest === null
            || (latest?.finishedAt && Date.now() - Date.parse(latest.finishedAt) > syncedLongAgo);
        if (!isDue) return;
        hasStarted = true;
        // A refusal is no harm: the banner has a button.
        await sync.start({ force: true }).catch(() => {});
    }

    function refreshSoon() {
        refreshTimer ??= setTimeout(() => {
            refreshTimer = null;
            refresh();
        }, refreshPause);
    }

    /** Reads the counts and the shown rows again, unless the rows are many or the person has another request open. */
    async function refresh() {
        // A later change reads again.
        if (requests > 0 || document.hidden) return;
        try {
            take(await api.get("/v1/library/summary", { signal }));
            if (requests === 0 && !list.isLong && listPlace.isConnected && await list.refresh()) render();
        } catch {
            // What is shown stays. The banner of the shell shows a lost connection.
        }
    }

    async function finish({ sources: ended }) {
        clearTimeout(refreshTimer);
        refreshTimer = null;
        await refresh();
        const hasChanged = ended.some(({ new: added, changed }) => added > 0 || changed > 0);
        if (list.isLong && hasChanged) news.hidden = false;
    }
}

/** The services of a setup's checklist that are or were connected. Disconnecting forgets when a service was. */
function connectedSources({ steps, optional }) {
    const known = new Map([...steps, ...optional].map((step) => [step.id, step]));
    return Object.keys(sources).filter((source) => {
        const step = known.get(source);
        return step && (step.state !== "incomplete" || step.connectedAt);
    });
}
