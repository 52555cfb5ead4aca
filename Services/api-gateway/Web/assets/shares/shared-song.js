import { api } from "../shell/api.js";
import { heard, searchAddress } from "../songs/song.js";

/** The song of a share (`songs/song.js`). Where the reader has it is looked up when its menu opens. */
export function sharedSong({ id, song }) {
    const { title, artists, album = null, durationMs = null, picture = null, sources = [] } = song;
    const artist = artists.join(", ");
    return {
        title, artist, album, durationMs, picture, explicit: song.explicit, trackId: null, catalog: sources[0] ?? null,
        ...heard(null, `share:${id}`, { title, artist, durationMs }),
        shared: { shareId: id },
        href: `/shares/${encodeURIComponent(id)}`,
        links: [
            { label: "Show the share", picture: "music", href: `/shares/${encodeURIComponent(id)}` },
            { label: "Search for it in Explore", picture: "explore", href: searchAddress({ title, artist }) },
        ],
        find: () => placesOf(id),
    };
}

/** Where the reader has the song of a share: `{ trackId, catalog, openings }`. Throws a `Problem`. */
export async function placesOf(id) {
    const { library, sources } = await api.get(`/v1/shares/${encodeURIComponent(id)}/song`);
    return { trackId: library ?? null, catalog: sources.find((one) => !one.isSearch) ?? null, openings: sources };
}
