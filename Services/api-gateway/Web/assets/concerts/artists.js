import { announce } from "../ui/announcer.js";
import { ArtistFinder } from "./artist-finder.js";
import { ArtistList } from "./artist-list.js";
import { ArtistRows } from "./artist-rows.js";
import { resetForm } from "./artist-reset.js";
import { connection } from "../shell/connection.js";
import { element } from "../ui/dom.js";
import { makeDraggable } from "../ui/dragging.js";
import { findForm } from "./find-form.js";
import { icon } from "../ui/icons.js";
import { latestSearch } from "./latest-search.js";
import { makeSwipeable } from "../ui/swiping.js";
import { emptyView, messageFor, problemView } from "../ui/problem-view.js";

export function show({ main, signal }) {
    const list = new ArtistList();
    const rows = new ArtistRows({ move, remove });
    const count = element("p", { class: "count" });
    const notice = element("div", { class: "undo", hidden: true });
    const container = element("div", {},
        element("p", { class: "secondary", role: "status" }, "Loading your artists …"));
    const error = element("p", { class: "field-error", id: "artist-error", role: "alert" });
    const name = element("input", {
        id: "artist-name", autocomplete: "off", maxlength: "200", enterkeyhint: "done",
        "aria-describedby": "artist-hint artist-error",
    });
    const hint = element("p", { class: "hint", id: "artist-hint" });
    const add = element("button", { class: "button", type: "submit" }, "Add");
    const find = findForm(list, { signal });
    const latest = element("p", {});
    const finder = new ArtistFinder(list, { field: name, signal, add: addFound });
    let empty = emptyList();
    let hasTriedToFill = false;

    main.replaceChildren(
        element("nav", { class: "way", "aria-label": "Back" }, element("a", { href: "/explore" }, "← Explore")),
        element("div", { class: "headline" }, element("h1", {}, "Your artists"), count),
        element("div", { class: "columns" },
            element("div", {},
                element("form", { class: "add", novalidate: true, onsubmit: submit },
                    element("label", { for: "artist-name" }, "Add an artist by name"),
                    element("div", { class: "joined" }, name, add), hint, error, finder.element),
                container, rows.hint, notice, resetForm(list)),
            element("div", { class: "side" }, find, latest,
                element("p", {}, element("a", { href: "/profile/calendar" }, "Subscribe in a calendar program")))));
    list.addEventListener("change", render, { signal });
    connection.addEventListener("restored", load, { signal });
    document.addEventListener("visibilitychange", () => document.hidden || load(), { signal });
    // The browser asks before it discards changes that have not been sent.
    addEventListener("beforeunload", (event) => list.isSaving && event.preventDefault(), { signal });
    makeDraggable(rows.list, (row, index) => {
        const artist = list.artists.find((artist) => artist.id === rows.idOf(row));
        if (artist) move(artist, index + 1);
    }, { signal });
    makeSwipeable(rows.list, (row) => {
        const artist = list.artists.find((artist) => artist.id === rows.idOf(row));
        if (artist && !artist.isNew) remove(artist);
    }, { signal });
    load();
    offerLatest();
    return "Your artists";

    async function offerLatest() {
        // The page works without it.
        const search = await latestSearch({ signal }).catch(() => null);
        if (search) {
            latest.append(element("a", { href: search.address }, "Show the latest results"), ` from ${search.time}`);
        }
    }

    async function load() {
        try {
            await list.load({ signal });
            if (!list.isSaved && list.artists.length === 0 && !hasTriedToFill) await fill();
            render();
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            // A list that is shown already stays.
            if (!rows.list.isConnected) container.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    /** Fills a list that the person opens for the first time. A list can also be made without Spotify. */
    async function fill() {
        hasTriedToFill = true;
        try {
            await list.fill({ signal });
            if (list.artists.length > 0) announce(`Your list starts with ${list.artists.length} artists from Spotify.`);
            else if (!list.isSaved) empty = emptyList({ code: "noTopArtists" });
        } catch (problem) {
            if (signal.aborted || problem.status === 401) throw problem;
            empty = emptyList(problem);
        }
    }

    function retryFill() {
        hasTriedToFill = false;
        container.replaceChildren(element("p", { class: "secondary", role: "status" }, "Loading your artists …"));
        load();
    }

    /** Shown in place of an empty list. `problem` is why it was not filled. */
    function emptyList(problem = null) {
        const text = ["Add the artists you would travel for, the most important first."];
        const actions = [];
        if (problem?.code === "spotifyNotConnected") {
            text.push("Connect Spotify to start with the artists you listen to most, or type a name.");
            actions.push(element("a", { class: "button primary", href: "/setup/spotify" }, "Connect Spotify"));
        } else if (problem?.code === "scopeMissing") {
            text.push("Spotify is connected, but does not let Backline see what you listen to most.",
                "Allow it, or type a name.");
            actions.push(element("a", { class: "button primary", href: "/setup/spotify" }, "Allow it on Spotify"));
        } else if (problem?.code === "noTopArtists") {
            text.push("Spotify does not yet know what you listen to. Search for artists by typing a name.");
        } else if (problem) {
            text.push(`Your top artists could not be read. ${messageFor(problem)}`, "You can still type names.");
            actions.push(element("button", { class: "button", type: "button", onclick: retryFill },
                icon("refresh"), "Retry"));
        }
        return emptyView({ picture: "ticket", title: "No artists yet", text, actions });
    }

    function render() {
        const { artists, capacity, isFull } = list;
        count.textContent = `${artists.length} of ${capacity}`;
        hint.textContent = isFull ? "The list is full. Remove an artist to add another." : "";
        name.disabled = add.disabled = isFull;
        rows.show(artists);
        rows.list.setAttribute("aria-busy", list.isSaving);
        const shown = artists.length > 0 ? rows.list : empty;
        if (container.firstChild !== shown) container.replaceChildren(shown);
    }

    async function submit(event) {
        event.preventDefault();
        const wanted = name.value.trim();
        report("");
        if (!wanted) {
            report("Type an artist’s name.", true);
            return name.focus();
        }
        name.value = "";
        finder.clear();
        try {
            await list.add({ name: wanted });
            announce(`${wanted} added at rank ${rankOf(wanted)}. ${list.artists.length} of ${list.capacity}`
                + `${list.isFull ? ", the list is full." : "."}`);
            // The field is disabled now and has lost the focus.
            if (list.isFull) find.querySelector("button").focus();
        } catch (problem) {
            if (problem.status === 401) return;
            report(messageFor(problem), true);
            if (!name.value) name.value = wanted;
            name.focus();
        }
    }

    /** Adds an artist that was found on Spotify. */
    async function addFound({ name: wanted, sourceId, picture, genres }) {
        report("");
        name.value = "";
        finder.clear();
        name.focus();
        try {
            await list.add({ name: wanted, spotifyId: sourceId, picture, genres });
            announce(`${wanted} added at rank ${rankOf(wanted)}. ${list.artists.length} of ${list.capacity}`
                + `${list.isFull ? ", the list is full." : "."}`);
            if (list.isFull) find.querySelector("button").focus();
        } catch (problem) {
            refused(`${wanted} was not added.`, problem);
        }
    }

    async function move(artist, rank) {
        report("");
        try {
            const saved = list.move(artist.id, rank);
            announce(`${artist.name} moved to rank ${rank} of ${list.artists.length}`);
            await saved;
        } catch (problem) {
            refused(`${artist.name} was not moved.`, problem);
        }
    }

    async function remove(artist) {
        report("");
        const index = artist.rank - 1;
        try {
            const saved = list.remove(artist.id);
            if (!rows.focusRemoval(index)) name.focus();
            announce(`${artist.name} removed. ${list.artists.length} of ${list.capacity}. Undo is below the list.`);
            await saved;
            offerUndo(artist);
        } catch (problem) {
            refused(`${artist.name} was not removed.`, problem);
        }
    }

    function offerUndo(artist) {
        notice.replaceChildren(
            element("span", {}, `${artist.name} was removed.`),
            element("button", { class: "button small", type: "button", onclick: () => undo(artist) }, "Undo"));
        notice.hidden = false;
    }

    async function undo(artist) {
        notice.hidden = true;
        name.focus();
        try {
            await list.add(artist, Math.min(artist.rank, list.artists.length + 1));
            announce(`${artist.name} is back at rank ${rankOf(artist.name)}.`);
        } catch (problem) {
            refused(`${artist.name} was not put back.`, problem);
        }
    }

    function rankOf(name) {
        return list.artists.find((artist) => artist.name === name)?.rank ?? list.artists.length;
    }

    function refused(what, problem) {
        if (problem.status === 401) return;
        report(`${what} ${messageFor(problem)}`);
        // The list may have changed in another window.
        if (problem.status === 404 || problem.status === 422) load();
    }

    function report(text, isOfField = false) {
        error.replaceChildren(...text ? [icon("alert"), text] : []);
        if (isOfField && text) name.setAttribute("aria-invalid", "true");
        else name.removeAttribute("aria-invalid");
        if (text) notice.hidden = true;
    }
}
