import { api } from "../shell/api.js";
import { playPreview } from "../shell/preview.js";
import { element } from "../ui/dom.js";
import { trackTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { listRow, name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { sourceName } from "../ui/sources.js";
import { toast } from "../ui/toast.js";

/**
 * The songs of a list, each with its reason. `pins` is a set of ids of songs that a button marks, which is called by
 * `verb`; `changed()` is called when it has changed. `dismissible` offers to have a song no more, and `remove(track)`
 * takes it out of the list.
 */
export function songRows(tracks, { pins = null, changed = () => {}, verb = "Keep", dismissible = false, partner = null,
    remove = null, signal = null }) {
    return element("ol", { class: "rows curated", "aria-label": "Songs" },
        tracks.map((item) => songRow(item, { pins, changed, verb, dismissible, partner, remove, signal })));
}

function songRow(item, { pins, changed, verb, dismissible, partner, remove, signal }) {
    const { track, reason, source, filled, attribution } = item;
    const { id, title, artist, durationMs } = track;
    const play = () => playSong(track, source);
    const row = listRow({
        title, label: `${title} by ${artist}`, image: track.picture, song: id, play, href: songAddress(track, source),
        lead: pins && pinButton(track, { pins, changed, verb }), parts: [name(artist)], narrow: [reason],
        columns: [
            { kind: "second", content: reason }, { kind: "date", content: null },
            { kind: "aside row-time", content: durationMs ? trackTime(durationMs) : null },
        ],
        marks: [
            attribution && element("span", { class: `mark blend-${attribution}` },
                { both: "Both", you: "You", partner }[attribution]),
            source !== "library" && !attribution && element("span", { class: "mark" }, sourceName(source)),
            filled && element("span", { class: "mark" }, "Filled in"),
        ].filter(Boolean),
        menu: () => [
            { label: "Play preview", picture: "play", action: play },
            { label: "Show the song", picture: "music", href: songAddress(track, source) },
            { label: "Why this?", picture: "spark", action: () => showEvidence(item) },
            remove && { label: "Remove from this list", picture: "dash", action: () => remove(track) },
            dismissible && { label: "Not for me", picture: "cross", action: () => dismiss(item, row, signal) },
        ].filter(Boolean),
    });
    return row;
}

/** The button that marks a song, such as one that is to stay. */
function pinButton({ id, title, artist }, { pins, changed, verb }) {
    const button = element("button", {
        class: "icon-button", type: "button", "aria-pressed": String(pins.has(id)), "data-control": true,
        "aria-label": `${verb} ${title} by ${artist}`, onclick: () => {
            if (!pins.delete(id)) pins.add(id);
            button.setAttribute("aria-pressed", String(pins.has(id)));
            changed();
        },
    }, icon("check"));
    return element("span", { class: "row-lead" }, button);
}

/** Has a song no more in lists. */
async function dismiss({ track }, row, signal) {
    const path = `/v1/ai/dismissals/${encodeURIComponent(track.id)}`;
    try {
        await api.put(path, undefined, { signal });
        row.hidden = true;
        toast(`“${track.title}” is not recommended again.`, { undo: async () => {
            await api.delete(path).catch(() => null);
            row.hidden = false;
        } });
    } catch (problem) {
        if (!signal?.aborted && problem.status !== 401) toast(messageFor(problem));
    }
}

function songAddress({ id }, source) {
    if (source === "library") return `/library/tracks/${id}`;
    return `/explore/${source}/track/${id.slice(id.indexOf(":") + 1)}`;
}

function playSong({ id, title, artist, durationMs, picture }, source) {
    const parts = new URLSearchParams({ title, artist, ...(durationMs && { durationMs }) });
    playPreview({ key: id, title, artist, picture },
        source === "library" ? `/v1/library/tracks/${id}/preview` : `/v1/previews?${parts}`);
}

function showEvidence({ track, evidence, filled }) {
    openSheet({
        title: `Why “${track.title}”?`,
        content: () => element("div", {},
            element("p", { class: "secondary" }, filled
                ? "The model did not name it: it was added to reach the length that you asked for. What is known of it:"
                : "What is known of it:"),
            element("ul", { class: "sentences" }, evidence.map(({ text }) => element("li", {}, text)))),
    });
}

/** The songs that were named and are not in the list. */
export function droppedSongs(dropped) {
    return element("details", { class: "card dropped" },
        element("summary", {}, `${dropped.length} named and left out`),
        element("ul", { class: "sentences" }, dropped.map(({ said, why, nearest }) => element("li", {},
            name(said), ": ", why, nearest && element("span", { class: "secondary" }, " Nearest: ", name(nearest))))));
}
