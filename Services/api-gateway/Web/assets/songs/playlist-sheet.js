import { api } from "../shell/api.js";
import { element, freshID } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { counted } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { sourceBadge, sourceName } from "../ui/sources.js";
import { libraryEdits } from "./library-edits.js";

/** How long the search waits for the next keystroke, in milliseconds, and the maximum number of playlists it shows. */
const pause = 300;
const most = 50;

/** Asks for a playlist, or for the name of a new one, and adds a song to it. `song` is as in `songEditItems`. */
export async function addToPlaylist(song) {
    const chosen = await openSheet({
        title: `Add “${song.title}” to a playlist`, content: (close) => chooser(song.services, close),
    });
    if (!chosen) return null;
    if (chosen.isNew) return createPlaylist({ ...chosen, trackIds: [song.ref] });
    return libraryEdits.submit(() => api.post(`/v1/library/playlists/${chosen.id}/tracks`, { trackIds: [song.ref] }), {
        text: `Added “${song.title}” to “${chosen.name}”.`,
    });
}

/** Asks for the name of a new playlist, and creates it at one of the services. Resolves to its edit, or to `null`. */
export async function askForPlaylist(sources) {
    const chosen = await openSheet({
        title: "New playlist", content: (close) => newPlaylist(sources, { close, isOpen: true }),
    });
    return chosen && createPlaylist({ ...chosen, trackIds: [] });
}

function createPlaylist({ name: title, source, trackIds }) {
    return libraryEdits.submit(
        () => api.post("/v1/library/playlists", { name: title, source, trackIds, public: false }),
        { text: `Created “${title}” on ${sourceName(source)}.` });
}

function chooser(services, close) {
    const id = freshID("playlist-search");
    const sources = services.map(({ source }) => source);
    const list = element("ul", { class: "choices", "aria-label": "Playlists" });
    const status = element("p", { class: "secondary", role: "status" }, "Loading your playlists …");
    let [timer, request] = [null, new AbortController()];
    const search = element("input", {
        type: "search", id, autocomplete: "off", maxlength: "200", oninput: () => {
            clearTimeout(timer);
            timer = setTimeout(find, pause);
        },
    });
    find();
    return [
        newPlaylist(sources, { close, isOpen: false }),
        element("form", { class: "field", role: "search", onsubmit: (event) => {
            event.preventDefault();
            clearTimeout(timer);
            find();
        } }, element("label", { for: id }, "Search playlists"), search),
        status, list,
    ];

    async function find() {
        request.abort();
        request = new AbortController();
        const { signal } = request;
        const text = search.value.trim();
        const parts = new URLSearchParams({ limit: most, ...(text && { q: text }) });
        try {
            const { items } = await api.get(`/v1/library/playlists?${parts}`, { signal });
            list.replaceChildren(...items.map((playlist) => choice(playlist)));
            status.textContent = items.length > 0 ? "" : text ? "No playlists found." : "No playlists yet.";
        } catch (problem) {
            if (!signal.aborted) status.textContent = messageFor(problem);
        }
    }

    function choice(playlist) {
        const reason = playlist.canAdd
            ? !sources.includes(playlist.source) && `Backline has not found this song on ${sourceName(playlist.source)}.`
            : playlist.refusal;
        const about = freshID("playlist");
        return element("li", {}, element("button", {
            class: "choice", type: "button", "aria-disabled": String(Boolean(reason)),
            "aria-describedby": reason ? about : null, onclick: () => reason || close(playlist),
        },
        element("span", { class: "choice-title" }, name(playlist.name)),
        element("span", { class: "secondary", id: about }, reason || counted(playlist.trackCount, "song")),
        element("span", { class: "marks" }, sourceBadge(playlist.source))));
    }
}

/** The form for a new playlist. Above a list, it is closed until the person opens it. */
function newPlaylist(sources, { close, isOpen }) {
    const id = freshID("playlist-source");
    const title = new FormField({ name: "name", label: "Name", maxlength: "100", autocomplete: "off" });
    const source = element("select", { id }, sources.map((one) => element("option", { value: one }, sourceName(one))));
    const form = element("form", { class: "new-playlist", novalidate: true, onsubmit: (event) => {
        event.preventDefault();
        if (title.value) return close({ isNew: true, name: title.value, source: source.value });
        title.fail("Give the playlist a name.");
        title.focus();
    } },
    title.element,
    element("div", { class: "field" }, element("label", { for: id }, "Service"), source),
    element("p", { class: "secondary" }, "Only you can see it."),
    element("div", { class: "actions" }, element("button", { class: "button primary", type: "submit" }, "Create playlist")));
    if (isOpen) return form;
    form.hidden = true;
    const opener = element("button", { class: "button", type: "button", "aria-expanded": "false", onclick: () => {
        form.hidden = !form.hidden;
        opener.setAttribute("aria-expanded", String(!form.hidden));
        if (!form.hidden) title.focus();
    } }, icon("plus"), "New playlist");
    return element("div", {}, opener, form);
}
