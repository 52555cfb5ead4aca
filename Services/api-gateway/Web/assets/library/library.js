import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { linkedPages } from "../shell/linked-pages.js";
import { replaceAddress, saveScrollPosition } from "../shell/navigate.js";
import { whenUsed } from "../shell/when-used.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted, namesList } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { ListView } from "../ui/list-view.js";
import { openMenu } from "../ui/menu.js";
import { problemView } from "../ui/problem-view.js";
import { onPullDown } from "../ui/pull-down.js";
import { connectedSources, sourceName, sources } from "../ui/sources.js";
import { Tabs } from "../ui/tabs.js";
import { editQuestions } from "./edit-questions.js";
import { libraryEdits } from "../songs/library-edits.js";
import { emptyList, nothingConnected } from "./library-empty.js";
import { LibraryQuery } from "./library-query.js";
import { LibrarySync } from "./library-sync.js";
import { LibraryTools } from "./library-tools.js";
import { lists } from "./lists.js";
import { SyncBanner } from "./sync-banner.js";

/** How long changes from a running sync are collected before the list is read again, in milliseconds. */
const refreshPause = 1_500;
/** How often a list is read again while a disconnected service's songs are being removed, in milliseconds. */
const removalPause = 2_000;
/** The time after which an empty library is synced again when it is opened, in milliseconds. */
const syncedLongAgo = 3_600_000;

export function show({ main, signal, scrollPosition }) {
    let query = new LibraryQuery(location.search);
    let [summary, connected] = [null, null];
    let [tools, hasStarted, isReading] = [null, false, false];
    let [refreshTimer, removalTimer, leaving] = [null, null, []];
    const sync = new LibrarySync({ signal });
    const banner = new SyncBanner(sync, { signal });
    const status = element("p", { class: "count" });
    const newPlaylist = element("button", {
        class: "button", type: "button", hidden: true, onclick: () =>
            whenUsed(import("../songs/playlist-sheet.js"), ({ askForPlaylist }) => askForPlaylist(connected)),
    }, icon("plus"), "New playlist");
    const removal = element("p", { class: "library-removal", role: "status" });
    const view = new ListView({
        label: query.definition.label, columns: query.definition.columns, signal, scrollPosition,
        onScroll: saveScrollPosition,
        load: ({ signal: current, ...range }) => api.get(query.path(range), { signal: current }),
        row: (item) => query.definition.row(item),
        empty: () => emptyList(query, { isSyncing: sync.isUnfinished, showAll }),
        changed: (total) => { status.textContent = counted(total, query.definition.noun); },
    });
    const tabs = new Tabs({
        label: "Parts of your library", current: query.list, open: change,
        tabs: Object.fromEntries(Object.entries(lists).map(([list, { label }]) => [list, label])),
    });
    const content = element("div", { class: "below-heading" },
        element("p", { class: "secondary", role: "status" }, "Loading your library …"));
    main.replaceChildren(
        element("div", { class: "library-head" },
            element("div", {}, element("h1", {}, "Library"), status),
            element("div", { class: "library-actions" }, newPlaylist, banner.button, moreButton()), otherPages()),
        banner.element, editQuestions({ signal }), content);
    banner.button.hidden = true;
    signal.addEventListener("abort", () => {
        clearTimeout(refreshTimer);
        clearTimeout(removalTimer);
    });
    connection.addEventListener("restored", () => (summary ? view.list.retry() : load()), { signal });
    sync.addEventListener("change", () => {
        startIfEmpty();
        if (sync.isUnfinished) refreshSoon();
    });
    sync.addEventListener("ended", () => finish());
    libraryEdits.addEventListener("change", () => summary && refresh(), { signal });
    load();
    return "Library";

    async function load() {
        try {
            const [counts, checklist] = await Promise.all([
                api.get("/v1/library/summary", { signal }), api.get("/v1/setup", { signal })]);
            const isFirst = connected === null;
            connected = connectedSources(checklist);
            leaving = Object.keys(sources);
            summary = counts;
            if (connected.length === 0 && counts.tracks.all === 0) return content.replaceChildren(nothingConnected());
            if (isFirst) showLists();
            showCounts(counts);
            await view.begin();
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            content.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    function showLists() {
        banner.button.hidden = connected.length === 0;
        showTools();
        content.replaceChildren(removal, tabs.element, tabs.panel);
        if (connected.length > 0) onPullDown(() => banner.begin(), { signal });
        sync.follow();
    }

    function showTools() {
        tools?.end();
        tools = new LibraryTools(query, { signal, changed: narrow });
        tabs.panel.replaceChildren(tools.element, view.element);
        newPlaylist.hidden = query.list !== "playlists" || connected.length === 0;
        count();
    }

    function showCounts(counts) {
        summary = counts;
        count();
        showRemoval();
    }

    /** Shows the counts in the filter. The summary has songs by service, but only totals of playlists and albums. */
    async function count() {
        const [list, shown] = [query.list, tools];
        if (list === "tracks") return shown.count(summary.tracks);
        shown.count({ all: summary[list] });
        try {
            const pages = await Promise.all(Object.keys(sources).map(async (source) =>
                [source, (await api.get(query.countPath(source), { signal })).total]));
            shown.count(Object.fromEntries(pages));
        } catch {
            // The list works without them, and a later change reads them again.
        }
    }

    /** Shows which disconnected services still have songs here, and checks again until those are gone. */
    function showRemoval() {
        // A service that is connected while the page is open will soon have songs, which are not being removed.
        leaving = leaving.filter((source) => !connected.includes(source) && summary.tracks[source] > 0);
        const text = leaving.length > 0 ? `Removing the songs from ${namesList(leaving.map(sourceName))} …` : "";
        // Setting the same text would make screen readers repeat it.
        if (removal.textContent !== text) removal.textContent = text;
        const isOver = removalTimer !== null && leaving.length === 0;
        clearTimeout(removalTimer);
        removalTimer = leaving.length > 0 ? setTimeout(lookAtRemoval, removalPause) : null;
        if (isOver && connected.length === 0 && summary.tracks.all === 0) {
            status.textContent = "";
            content.replaceChildren(nothingConnected());
        }
    }

    async function lookAtRemoval() {
        try {
            // The service may have been connected again.
            if (!document.hidden) connected = connectedSources(await api.get("/v1/setup", { signal }));
        } catch {
            // What is shown stays, as in `refresh`.
        }
        await refresh();
        // The page checks again even without an answer.
        if (!signal.aborted && leaving.length > 0) showRemoval();
    }

    // MARK: The list

    /** Opens another list of the library as a new entry of the browser's history. */
    function change(list) {
        query = new LibraryQuery(list === "tracks" ? "" : `show=${list}`);
        history.pushState(null, "", query.address);
        view.list.clear();
        [view.list.label, view.columns] = [query.definition.label, query.definition.columns];
        showTools();
        begin();
    }

    /** Changes the filter, the search or the order. They are part of the page's address, so a reload keeps them. */
    function narrow(values) {
        const changed = query.with(values);
        if (changed.address === query.address) return;
        query = changed;
        replaceAddress(query.address);
        begin();
    }

    async function begin() {
        if (await view.begin()) announce(`${status.textContent}.`);
    }

    function showAll() {
        narrow({ source: "all", text: "" });
        tools.reset(query);
        tools.focus();
    }

    // MARK: The sync

    /** An empty library syncs by itself, once. */
    async function startIfEmpty() {
        view.update();
        if (hasStarted || !summary || summary.tracks.all > 0 || connected.length === 0) return;
        const { latest } = sync;
        const isDue = latest === null
            || (latest?.finishedAt && Date.now() - Date.parse(latest.finishedAt) > syncedLongAgo);
        if (!isDue) return;
        hasStarted = true;
        // A refusal does no harm: the page has a button.
        await sync.start({ force: true }).catch(() => {});
    }

    function refreshSoon() {
        refreshTimer ??= setTimeout(() => {
            refreshTimer = null;
            refresh();
        }, refreshPause);
    }

    /** Reads the counts and the shown rows again. */
    async function refresh() {
        // The next change reads again.
        if (isReading || document.hidden) return;
        isReading = true;
        try {
            showCounts(await api.get("/v1/library/summary", { signal }));
            if (view.element.isConnected) await view.list.refresh();
        } catch {
            // What is shown stays. The banner of the shell shows a lost connection.
        } finally {
            isReading = false;
        }
    }

    async function finish() {
        clearTimeout(refreshTimer);
        refreshTimer = null;
        await refresh();
    }
}

/** The other pages: those of domains that ask for a link here (`PageLink`), and those of the library itself. */
const otherPagesOfLibrary = [
    ...linkedPages("library"),
    { href: "/library/import", picture: "upload", label: "Import a file" },
    { href: "/library/changes", picture: "clock", label: "Changes" },
    { href: "/library/duplicates", picture: "merge", label: "Likely duplicates" },
    { href: "/library/settings", picture: "sliders", label: "Library settings" },
];

/** Links to the other pages. In narrow windows the style sheet shows a menu instead. */
function otherPages() {
    return element("nav", { class: "library-pages", "aria-label": "Library" },
        otherPagesOfLibrary.map(({ href, picture, label }) => element("a", { href }, icon(picture), label)));
}

function moreButton() {
    return element("button", {
        class: "button library-more", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
        onclick: ({ currentTarget: at }) => openMenu({ label: "Library", items: otherPagesOfLibrary, at, opener: at }),
    }, icon("more"), "More");
}
