import { sourceName } from "../ui/sources.js";

const kinds = {
    added: { picture: "plus", text: (source) => `added to ${source}` },
    missing: { picture: "dash", text: (source) => `removed from ${source}` },
    returned: { picture: "refresh", text: (source) => `added back to ${source}` },
    changed: { picture: "spark", text: (source) => `changed on ${source}` },
};
const items = { track: "Song", playlist: "Playlist", album: "Album" };

/** "removed from Spotify" */
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

/** The address of the changed item's page, or `null` if it has none. */
export function changeAddress({ trackId, playlistId, albumId }) {
    if (trackId) return `/library/tracks/${trackId}`;
    if (playlistId) return `/library/playlists/${playlistId}`;
    return albumId ? `/library/albums/${albumId}` : null;
}
