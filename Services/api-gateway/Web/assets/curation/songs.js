import { api } from "../shell/api.js";
import { listedSong } from "../songs/song.js";
import { songRow } from "../songs/song-row.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { sourceName } from "../ui/sources.js";
import { toast } from "../ui/toast.js";

/**
 * The songs of a list, each with its reason. `pins` is the set of ids of the songs that are marked, with a button named
 * by `verb`; `changed()` is called when the set has changed. `dismissible` offers to leave a song out of future lists,
 * and `remove(track)` removes it from this list.
 */
export function songRows({ id: listId, tracks }, { pins = null, changed = () => {}, verb = "Keep", dismissible = false, partner = null,
    remove = null, signal = null }) {
    return element("ol", { class: "rows curated", "aria-label": "Songs" },
        tracks.map((item) => listedRow(item, listId, { pins, changed, verb, dismissible, partner, remove, signal })));
}

function listedRow(item, listId, { pins, changed, verb, dismissible, partner, remove, signal }) {
    const { track, reason, source, filled, attribution } = item;
    const row = songRow(listedSong(track, listId), {
        lead: pins && pinButton(track, { pins, changed, verb }), second: reason,
        marks: [
            attribution && element("span", { class: `mark blend-${attribution}` },
                { both: "Both", you: "You", partner }[attribution]),
            source !== "library" && !attribution && element("span", { class: "mark" }, sourceName(source)),
            filled && element("span", { class: "mark" }, "Filled in"),
        ].filter(Boolean),
        further: () => [
            // Nothing is left of a blend's song of somebody who is gone.
            item.evidence.length > 0
                && { label: "Why this?", picture: "spark", action: () => showEvidence(item) },
            remove && { label: "Remove from this list", picture: "dash", action: () => remove(track) },
            dismissible && { label: "Not for me", picture: "cross", action: () => dismiss(item, row, signal) },
        ],
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
