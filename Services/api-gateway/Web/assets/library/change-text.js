import { sourceName } from "../ui/sources.js";

const kinds = {
    added: { picture: "plus", text: (source) => `came to ${source}` },
    missing: { picture: "dash", text: (source) => `left ${source}` },
    returned: { picture: "refresh", text: (source) => `came back to ${source}` },
    changed: { picture: "spark", text: (source) => `changed at ${source}` },
};
const items = { track: "Song", playlist: "Playlist", album: "Album" };

/** "left Spotify" */
export function changeText({ kind, source }) {
    return kinds[kind]?.text(sourceName(source)) ?? kind;
}

export function changePicture({ kind }) {
    return kinds[kind]?.picture ?? "clock";
}

/** "Playlist" */
export function itemName({ item }) {
    return items[item] ?? item;
}

/** The page of what has changed; `null` when it has none. */
export function changeAddress({ trackId, playlistId, albumId }) {
    if (trackId) return `/library/tracks/${trackId}`;
    if (playlistId) return `/library/playlists/${playlistId}`;
    return albumId ? `/library/albums/${albumId}` : null;
}
