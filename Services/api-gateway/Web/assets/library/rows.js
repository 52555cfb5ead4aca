import { element, hiddenText } from "../ui/dom.js";
import { counted, longDate, trackTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { sourceName } from "./sources.js";

/** The row of a track, with the services that have it. */
export function trackRow(track) {
    const { title, artist, album, durationMs, explicit, missingSince, inLibrary } = track;
    return row({
        title: [name(title, "row-title"),
            explicit && " ", explicit && element("span", { class: "row-explicit" },
                element("span", { "aria-hidden": "true" }, "E"), hiddenText("explicit"))],
        text: separated([artist && name(artist), album && name(album)]),
        aside: durationMs ? trackTime(durationMs) : null,
        sources: track.sources,
        mark: missingSince ? mark("dash", `No longer in your library since ${longDate(missingSince)}`)
            : !inLibrary && mark("library", "In a playlist only"),
    });
}

/** The row of a playlist. */
export function playlistRow({ name: title, owner, source, trackCount, missingSince }) {
    return row({
        title: name(title, "row-title"),
        text: owner && ["By ", name(owner)],
        aside: size(trackCount),
        sources: [source], mark: gone(missingSince),
    });
}

/** The row of an album. */
export function albumRow({ name: title, artist, source, trackCount, releaseDate, missingSince }) {
    return row({
        title: name(title, "row-title"),
        text: separated([artist && name(artist), releaseDate && releaseDate.slice(0, 4)]),
        aside: size(trackCount),
        sources: [source], mark: gone(missingSince),
    });
}

/**
 * A name in the direction of its own script. Without `bdi`, a name from right to left would also change the order of
 * separators, numbers and other names beside it.
 */
function name(text, className = null) {
    return element("bdi", { class: className }, text);
}

/** Parts with a separator between them, from left to right. Those that are missing are left out. */
function separated(parts) {
    return parts.filter(Boolean).flatMap((part, index) => (index > 0 ? [" · ", part] : [part]));
}

/** A service may not say how many tracks there are. */
function size(trackCount) {
    return Number.isFinite(trackCount) ? counted(trackCount, "track") : null;
}

function gone(since) {
    return since && mark("dash", `No longer in your library since ${longDate(since)}`);
}

function row({ title, text, aside, sources, mark: remark }) {
    return element("li", { class: "row", tabindex: "-1" },
        element("p", { class: "row-head" }, title),
        element("p", { class: "row-text" }, text),
        aside && element("p", { class: "row-aside" }, aside),
        element("p", { class: "marks" },
            hiddenText("From"), sources.map((source) => [" ",
                element("span", { class: "mark source", "data-source": source }, sourceName(source))]).flat(),
            remark && " ", remark));
}

function mark(picture, text) {
    return element("span", { class: "mark remark-mark" }, icon(picture), text);
}
