import { libraryEdits } from "../songs/library-edits.js";
import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { emptyView, messageFor } from "../ui/problem-view.js";
import { isUnfinished, stateText } from "./list-state.js";
import { songRows } from "./songs.js";

/** The page that suggests songs for a playlist and adds the chosen ones. */
export function show({ main, signal, parameters: { id } }) {
    const chosen = new Set();
    const status = element("p", { role: "status" }, "Asking …");
    const error = element("p", { class: "field-error", role: "alert" });
    const songs = element("div", {});
    const add = element("button", { class: "button primary", type: "button", disabled: true, onclick: addChosen }, "Add");
    const again = element("button", { class: "button", type: "button", onclick: ask }, "Suggest others");
    let list = null;
    let playlist = null;
    main.replaceChildren(element("div", { class: "ask" },
        element("p", { class: "way" }, element("a", { href: `/library/playlists/${id}` }, "← Playlist")),
        element("h1", {}, "Extend a playlist"), status, error, songs,
        element("div", { class: "detail-buttons" }, add, again)));
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset"]) stream.addEventListener(event, () => list && load(), { signal });
    stream.addEventListener("curatedList", ({ detail }) => list && detail.id === list.id && load(), { signal });
    begin();
    return "Extend a playlist";

    async function begin() {
        try {
            playlist = await api.get(`/v1/library/playlists/${id}?limit=1`, { signal });
            main.querySelector("h1").textContent = `Extend “${playlist.name}”`;
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            if (problem.status === 404) return showMissing();
            // The request for suggestions reports any other problem.
        }
        await ask();
    }

    async function ask() {
        again.disabled = true;
        error.textContent = "";
        try {
            list = await api.post("/v1/ai/growth", { playlistId: id, size: 15 });
        } catch (problem) {
            return problem.status === 404 ? showMissing() : fail(problem);
        }
        await load();
    }

    async function load() {
        try {
            list = await api.get(`/v1/ai/growth/${list.id}`, { signal });
        } catch (problem) {
            return fail(problem);
        }
        if (isUnfinished(list)) {
            status.textContent = `${stateText(list)} …`;
            return;
        }
        again.disabled = false;
        if (list.state === "failed") return fail({ message: list.error.message });
        chosen.clear();
        status.textContent = `${counted(list.tracks.length, "song")} suggested. Select the ones to add.`
            + (list.fallback ? ` ${list.fallback}` : "");
        songs.replaceChildren(songRows(list, { pins: chosen, changed: count, verb: "Add", signal }));
        count();
    }

    function count() {
        add.textContent = chosen.size === 0 ? "Add" : `Add ${counted(chosen.size, "song")}`;
        add.disabled = chosen.size === 0 || playlist?.canAdd === false;
        if (playlist?.canAdd === false) error.textContent = playlist.refusal ?? "";
    }

    async function addChosen() {
        const trackIds = [...chosen];
        const edit = await libraryEdits.submit(
            () => api.post(`/v1/library/playlists/${id}/tracks`, { trackIds }),
            { text: `${counted(trackIds.length, "song")} added.` });
        if (!edit || signal.aborted) return;
        chosen.clear();
        await ask();
    }

    function showMissing() {
        if (signal.aborted) return;
        main.querySelector(".ask").replaceChildren(element("h1", {}, "Extend a playlist"), emptyView({
            picture: "library", title: "There is no such playlist",
            text: "The playlist may have left your library, or the address may be mistyped.",
            actions: [
                element("a", { class: "button primary", href: "/library?show=playlists" }, "Go to your playlists"),
            ],
        }));
    }

    function fail(problem) {
        if (signal.aborted || problem.status === 401) return;
        again.disabled = false;
        status.textContent = "";
        error.textContent = problem instanceof Error ? messageFor(problem) : problem.message;
    }
}
