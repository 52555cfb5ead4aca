import { announce } from "../ui/announcer.js";
import { ArtistList } from "./artist-list.js";
import { ArtistRows } from "./artist-rows.js";
import { connection } from "../shell/connection.js";
import { element } from "../ui/dom.js";
import { makeDraggable } from "../ui/dragging.js";
import { findForm } from "./find-form.js";
import { icon } from "../ui/icons.js";
import { latestSearch } from "./latest-search.js";
import { emptyView, messageFor, problemView } from "../ui/problem-view.js";

export function show({ main, signal }) {
    const list = new ArtistList();
    const rows = new ArtistRows({ move, remove });
    const count = element("p", { class: "count" });
    const notice = element("div", { class: "undo", hidden: true });
    const place = element("div", {}, element("p", { class: "secondary", role: "status" }, "Loading your artists …"));
    const error = element("p", { class: "field-error", id: "artist-error", role: "alert" });
    const name = element("input", {
        id: "artist-name", autocomplete: "off", maxlength: "200", enterkeyhint: "done",
        "aria-describedby": "artist-hint artist-error",
    });
    const hint = element("p", { class: "hint", id: "artist-hint" });
    const add = element("button", { class: "button", type: "submit" }, "Add");
    const find = findForm(list, { signal });
    const latest = element("p", {});
    const empty = emptyView({
        picture: "ticket", title: "No artists yet",
        text: ["Add the artists you would travel for, the most important first.",
            "Backline will suggest your top artists from Spotify once it can read them. Until then, type a name."],
    });

    main.replaceChildren(
        element("nav", { class: "way", "aria-label": "Way back" }, element("a", { href: "/explore" }, "← Explore")),
        element("div", { class: "headline" }, element("h1", {}, "Your artists"), count),
        element("div", { class: "columns" },
            element("div", {},
                element("form", { class: "add", novalidate: true, onsubmit: submit },
                    element("label", { for: "artist-name" }, "Add an artist by name"),
                    element("div", { class: "joined" }, name, add), hint, error),
                place, rows.hint, notice),
            element("div", { class: "side" }, find, latest)));
    list.addEventListener("change", render, { signal });
    connection.addEventListener("restored", load, { signal });
    document.addEventListener("visibilitychange", () => document.hidden || load(), { signal });
    // The browser asks before it discards changes that have not been sent.
    addEventListener("beforeunload", (event) => list.isSaving && event.preventDefault(), { signal });
    makeDraggable(rows.list, (row, index) => {
        const artist = list.artists.find((artist) => artist.id === rows.idOf(row));
        if (artist) move(artist, index + 1);
    }, { signal });
    load();
    offerLatest();
    return "Your artists";

    async function offerLatest() {
        // The page works without it.
        const search = await latestSearch({ signal }).catch(() => null);
        if (search) {
            latest.append(element("a", { href: search.address }, "Show the latest results"), ` of ${search.time}`);
        }
    }

    async function load() {
        try {
            await list.load({ signal });
            render();
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            // A list that is shown already stays.
            if (!rows.list.isConnected) place.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    function render() {
        const { artists, capacity, isFull } = list;
        count.textContent = `${artists.length} of ${capacity}`;
        hint.textContent = isFull ? "The list is full. Remove an artist to add another." : "";
        name.disabled = add.disabled = isFull;
        rows.show(artists);
        rows.list.setAttribute("aria-busy", list.isSaving);
        const shown = artists.length > 0 ? rows.list : empty;
        if (place.firstChild !== shown) place.replaceChildren(shown);
    }

    async function submit(event) {
        event.preventDefault();
        const wanted = name.value.trim();
        report("");
        if (!wanted) {
            report("Type the name of an artist.", true);
            return name.focus();
        }
        name.value = "";
        try {
            await list.add(wanted);
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
            await list.add(artist.name, Math.min(artist.rank, list.artists.length + 1));
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
