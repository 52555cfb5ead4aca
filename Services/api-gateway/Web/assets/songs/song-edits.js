import { api } from "../shell/api.js";
import { whenUsed } from "../shell/when-used.js";
import { sourceName } from "../ui/sources.js";
import { libraryEdits } from "./library-edits.js";

/** Why a song cannot be removed from Apple Music here. */
const onlyInApp = "Apple Music does not let other apps remove songs. Remove it in Apple’s app.";

/**
 * The items of a song's menu that change libraries. `song` is `{ ref, title, services }`: its id in the library, or
 * `spotify:ID` or `appleMusic:ID`; and the services that are known to have it, each `{ source, isSaved }`.
 */
export function songEditItems(song) {
    const { services } = song;
    const nowhere = services.length === 0 ? "Backline has not found this song on any connected service." : null;
    return [
        { label: "Add to playlist", picture: "plus", reason: nowhere, action: () => add(song) },
        ...services.map(({ source, isSaved }) => savingItem(song, source, isSaved)),
    ];
}

function add(song) {
    return whenUsed(import("./playlist-sheet.js"), ({ addToPlaylist }) => addToPlaylist(song));
}

function savingItem(song, source, isSaved) {
    const name = sourceName(source);
    if (!isSaved) return { label: `Save to ${name}`, picture: "library", action: () => save(song, source) };
    return {
        label: `Remove from ${name}`, picture: "library",
        ...(source === "appleMusic" ? { reason: onlyInApp } : { action: () => remove(song, source) }),
    };
}

function save(song, source) {
    return libraryEdits.submit(() => api.put(savedPath(song), { source }), {
        text: `Saved “${song.title}” to ${sourceName(source)}.`,
        undo: source === "appleMusic" ? null : () => remove(song, source),
    });
}

function remove(song, source) {
    return libraryEdits.submit(() => api.delete(savedPath(song), { body: { source } }), {
        text: `Removed “${song.title}” from ${sourceName(source)}.`, undo: () => save(song, source),
    });
}

function savedPath({ ref }) {
    return `/v1/library/tracks/${ref}/saved`;
}
