import { albumRow, playlistRow, trackRow } from "./rows.js";

const allSources = { all: "All", appleMusic: "Apple Music", spotify: "Spotify" };

/** The lists of a library, by the names that the page's address has. `row(item)` returns the element of an item. */
export const shelves = {
    tracks: {
        label: "Tracks", noun: "track", row: trackRow,
        sources: { ...allSources, both: "Both" },
        sorts: {
            recentlyAdded: "Recently added", title: "Title", artist: "Artist", album: "Album", playCount: "Play count",
        },
        hint: "Title, artist or album",
    },
    playlists: { label: "Playlists", noun: "playlist", row: playlistRow, sources: allSources, hint: "Name" },
    albums: { label: "Albums", noun: "album", row: albumRow, sources: allSources, hint: "Name or artist" },
};
