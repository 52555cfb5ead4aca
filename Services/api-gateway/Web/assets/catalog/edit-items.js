import { songEditItems } from "../shell/song-edits.js";

/** The items of a menu that save a song of a service's catalog, or add it to a playlist. */
export function editItems({ source, sourceId, title, libraryTrackId }) {
    return songEditItems({
        ref: `${source}:${sourceId}`, title, services: [{ source, isSaved: Boolean(libraryTrackId) }],
    });
}
