import { libraryEdits } from "../songs/library-edits.js";
import { api } from "../shell/api.js";
import { detailView } from "../shell/detail-view.js";
import { EventStream } from "../shell/event-stream.js";
import { navigate } from "../shell/navigate.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { counted } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";
import { openSheet } from "../ui/sheet.js";
import { sourceName } from "../ui/sources.js";
import { toast } from "../ui/toast.js";
import { isUnfinished, stateText, usageText } from "./list-state.js";
import { droppedSongs, songRows } from "./songs.js";

/** The page of a playlist that was made for the person. */
export function show(view) {
    return showList(view, { kind: "playlists", noun: "playlist", back: "Make a playlist" });
}

/** The page of a list. `kind` is the part of its addresses that names it, and `back` the title of the page above it. */
export function showList({ main, signal, scrollPosition, parameters: { id } }, { kind, noun, back }) {
    const path = `/v1/ai/${kind}/${id}`;
    const pins = new Set();
    let last = null;
    const view = detailView({ main, signal, scrollPosition }, {
        title: noun[0].toUpperCase() + noun.slice(1), path,
        back: element("p", { class: "way" }, element("a", { href: `/explore/${kind}` }, `← ${back}`)),
        missing: {
            picture: "spark", title: `There is no such ${noun}`,
            text: "It may have been deleted, or the address may be mistyped.",
            actions: [element("a", { class: "button primary", href: `/explore/${kind}` }, back)],
        },
        content: (list) => {
            if (!last) for (const { track, pinned } of list.tracks) if (pinned) pins.add(track.id);
            if (last !== list.state && (last || isUnfinished(list))) announce(stateText(list));
            last = list.state;
            return [header(list, { kind, noun, signal }), outcome(list, noun), ...(list.state === "complete" ? parts(list) : [])];
        },
    });
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset"]) stream.addEventListener(event, () => last && view.load(), { signal });
    for (const event of ["curatedList", "gone"]) {
        stream.addEventListener(event, ({ detail }) => detail.id === id && view.load(), { signal });
    }
    return view.title;

    function parts(list) {
        if (kind !== "playlists") {
            return [list.tracks.length > 0 && songRows(list, { partner: list.with, signal })];
        }
        const hint = element("p", { class: "hint" });
        const count = () => {
            hint.textContent = pins.size === 0 ? "Select the songs to keep." : `Keeping ${counted(pins.size, "song")}.`;
        };
        count();
        return [
            list.tracks.length > 0 && songRows(list, {
                pins, changed: count, signal, remove: async (track) => {
                    pins.delete(track.id);
                    await act(() => api.delete(`${path}/tracks/${encodeURIComponent(track.id)}`, { signal }), signal);
                } }),
            list.dropped.length > 0 && droppedSongs(list.dropped),
            refinement(list, pins, hint, signal),
        ];
    }
}

function header(list, { kind, noun, signal }) {
    const { id, title, prompt, state, refines } = list;
    return element("header", {},
        element("h1", {}, name(title)),
        // The title is the prompt, unless that is long.
        prompt && prompt.toLowerCase() !== title.toLowerCase()
            && element("p", { class: "secondary" }, "“", name(prompt), "”"),
        element("div", { class: "detail-buttons" },
            state === "complete" && list.tracks.length > 0
                && ["spotify", "appleMusic"].map((service) => saveButton(list, kind, service, signal)),
            refines && element("button", { class: "button", type: "button", onclick: () =>
                remove(`/v1/ai/playlists/${id}`, `/explore/playlists/${refines}`, "The change was undone.", signal) }, "Undo the change"),
            kind === "playlists" && list.fallback && element("button", {
                class: "button", type: "button", onclick: () => askAgain(list, signal),
            }, "Ask again"),
            kind === "playlists" && element("button", { class: "button", type: "button", onclick: () =>
                showSent(id, signal) }, "What was sent"),
            element("button", { class: "button", type: "button", onclick: () =>
                remove(`/v1/ai/${kind}/${id}`, `/explore/${kind}`, `The ${noun} was deleted.`, signal) }, "Delete")));
}

function outcome(list, noun) {
    if (list.state === "failed") return element("p", { class: "field-error", role: "alert" }, list.error.message);
    if (isUnfinished(list)) {
        return element("div", { class: "upload" },
            element("p", { role: "status" }, `${stateText(list)} …`),
            element("progress", {
                "aria-label": `Progress of the ${noun}`,
                ...(list.progress && { max: list.progress.total, value: list.progress.done }),
            }));
    }
    return element("div", {},
        element("p", { role: "status" }, `${counted(list.tracks.length, "song")}. ${stateText(list)}.`),
        list.shortfall && element("p", { class: "hint" }, list.shortfall),
        list.promptNote && element("p", { class: "hint" }, list.promptNote),
        list.fallback && element("p", { class: "hint" }, list.fallback),
        usageText(list) && element("p", { class: "hint" }, usageText(list)));
}

function saveButton({ id, title }, kind, service, signal) {
    const button = element("button", { class: "button primary", type: "button", onclick: async () => {
        button.disabled = true;
        const edit = await libraryEdits.submit(
            () => api.post(`/v1/ai/${kind}/${id}/save`, { to: service }, { signal }),
            { text: `Saving “${title}” to ${sourceName(service)}.` });
        button.disabled = false;
        if (!edit || signal.aborted) return;
        if (edit.notSaved.length > 0) {
            toast(`Left out ${counted(edit.notSaved.length, "song")} not found on ${sourceName(service)}.`);
        }
        if (edit.playlistId) await navigate(`/library/playlists/${edit.playlistId}`);
    } }, `Save to ${sourceName(service)}`);
    return button;
}

function remove(path, address, text, signal) {
    return act(async () => {
        await api.delete(path, { signal });
        toast(text);
        await navigate(address);
    }, signal);
}

/** Asks for the same list again, for example with a key that works now. */
function askAgain({ prompt, size, source, minutes, exclude, seed, refines, tracks }, signal) {
    return act(async () => {
        const list = refines
            ? await api.post(`/v1/ai/playlists/${refines}/refinements`, {
                prompt, pinned: tracks.filter(({ pinned }) => pinned).map(({ track }) => track.id),
            }, { signal })
            : await api.post("/v1/ai/playlists", { prompt, size, source, minutes, exclude, seed }, { signal });
        await navigate(`/explore/playlists/${list.id}`);
    }, signal);
}

/** Runs a button's action. A toast says why it failed. */
async function act(work, signal) {
    try {
        await work();
    } catch (problem) {
        if (!signal.aborted && problem.status !== 401) toast(messageFor(problem));
    }
}

async function showSent(id, signal) {
    const { model, sent } = await api.get(`/v1/ai/playlists/${id}/sent`, { signal });
    openSheet({
        title: "What was sent", content: () => sent
            ? element("div", {},
                element("p", {}, model ? `To ${model}:` : "To a model that has not answered:"),
                element("pre", { class: "sent", tabindex: "0" }, JSON.stringify(sent, null, 1)))
            : element("p", {}, "Nothing was sent, because no model was asked."),
    });
}

function refinement({ id }, pins, hint, signal) {
    const prompt = new FormField({
        name: "prompt", label: "What should be different?", maxlength: "500", placeholder: "Less electronic, more voices",
    });
    return savingForm({
        fields: [prompt], content: [hint], signal, refused: prompt, action: "Change it", busy: "Asking …",
        check: () => prompt.value === "" ? { field: prompt, text: "Describe what should be different." } : null,
        save: () => api.post(`/v1/ai/playlists/${id}/refinements`, { prompt: prompt.value, pinned: [...pins] }),
        saved: (list) => navigate(`/explore/playlists/${list.id}`),
    });
}
