import { albumRow, playlistRow, trackRow } from "./rows.js";

/** The column heads of song lists. */
export const songColumns = ["Title", "Album", "From", "Added", "Time"];

const allSources = { all: "All", appleMusic: "Apple Music", spotify: "Spotify" };

/** The lists of a library, by the names that the API has for them. `row(item)` returns the element of an item. */
export const lists = {
    tracks: {
        label: "Songs", noun: "song", row: trackRow,
        sources: { ...allSources, both: "Both" },
        sorts: {
            recentlyAdded: "Recently added", title: "Title", artist: "Artist", album: "Album", playCount: "Play count",
        },
        hint: "Title, artist or album", columns: songColumns,
    },
    playlists: {
        label: "Playlists", noun: "playlist", row: playlistRow, sources: allSources, hint: "Name",
        columns: ["Name", "Owner", "From", "Synced", "Songs"],
    },
    albums: {
        label: "Albums", noun: "album", row: albumRow, sources: allSources, hint: "Name or artist",
        columns: ["Name", "Artist", "From", "Released", "Songs"],
    },
};
