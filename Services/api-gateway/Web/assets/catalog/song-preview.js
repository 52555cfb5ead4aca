import { playPreview } from "../shell/preview.js";

/** The player's key for a song: its id in the library, if the library has it. */
export function songKey({ source, sourceId, libraryTrackId }) {
    return libraryTrackId ?? `${source}:${sourceId}`;
}

/** Plays a preview of a song that a service has, or pauses it. */
export function playSong(track) {
    const { title, artist, durationMs, picture, libraryTrackId } = track;
    const parts = new URLSearchParams({ title, artist, ...(durationMs && { durationMs }) });
    playPreview({ key: songKey(track), title, artist, picture },
        libraryTrackId ? `/v1/library/tracks/${libraryTrackId}/preview` : `/v1/previews?${parts}`);
}
