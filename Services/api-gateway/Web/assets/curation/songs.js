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
 * The songs of a list, each with its reason. `pins` is the set of ids of the songs that are marked, with a button named
 * by `verb`; `changed()` is called when the set has changed. `dismissible` offers to leave a song out of future lists,
 * and `remove(track)` removes it from this list.
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

/** The button that marks a song, for example one to keep. */
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

/** Leaves a song out of future lists. */
async function dismiss({ track }, row, signal) {
    const path = `/v1/ai/dismissals/${encodeURIComponent(track.id)}`;
    try {
        await api.put(path, undefined, { signal });
        row.hidden = true;
        toast(`“${track.title}” will not be recommended again.`, { undo: async () => {
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
                ? "The model did not name it: Backline added it to reach the length that you asked for. What Backline"
                    + " knows about it:"
                : "What Backline knows about it:"),
            element("ul", { class: "sentences" }, evidence.map(({ text }) => element("li", {}, text)))),
    });
}

/** The songs that were named but are not in the list. */
export function droppedSongs(dropped) {
    return element("details", { class: "card dropped" },
        element("summary", {}, `${dropped.length} named but left out`),
        element("ul", { class: "sentences" }, dropped.map(({ said, why, nearest }) => element("li", {},
            name(said), ": ", why, nearest && element("span", { class: "secondary" }, " Nearest: ", name(nearest))))));
}
