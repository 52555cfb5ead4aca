import { playPreview } from "../previews/preview.js";
import { itemAddress } from "./addresses.js";
import { artistAddress } from "./song-parts.js";

/*
 * A song, wherever it is listed, as rows, menus and the share sheet take it:
 *
 * - `title`, `artist`, `album`, `durationMs`, `picture` and `explicit`, as far as they are known;
 * - `key`: the player's key, and `preview`: the API's path that finds its preview, `null` for a song without a title;
 * - `href`: the address of its page, and `links`: more items of its menu that lead to pages;
 * - `trackId`: its id in the library, or `null`;
 * - `catalog`: `{ source, sourceId, url }` of the song at a service, or `null`;
 * - `shared`: how the API names the song in a share, or `null` for a song that cannot be shared;
 * - `find()`, only for shared songs: resolves to `{ trackId, catalog, openings }`, where the reader has the song.
 */

/** A song of the library. */
export function librarySong(track) {
    const { id, title, artist, album, durationMs, picture, explicit } = track;
    return {
        title, artist, album, durationMs, picture, explicit, key: id, preview: `/v1/library/tracks/${id}/preview`,
        href: `/library/tracks/${id}`, trackId: id, catalog: null, shared: { libraryTrackId: id },
        links: [
            { label: "Show the song", picture: "music", href: `/library/tracks/${id}` },
            artist && { label: `Show ${artist}`, picture: "profile", href: artistAddress(artist) },
        ],
    };
}

/** A song of a service's catalog. */
export function catalogSong(track) {
    const { source, sourceId, title, artist, artists = [], album, libraryTrackId: trackId } = track;
    const page = itemAddress("track", track);
    return {
        title, artist, album: album?.name ?? null, durationMs: track.durationMs, picture: track.picture,
        explicit: track.explicit, trackId, catalog: { source, sourceId, url: track.url },
        ...heard(trackId, `${source}:${sourceId}`, track), shared: { source, sourceId },
        // Songs of the library have their own page there.
        href: trackId ? `/library/tracks/${trackId}` : page,
        links: [
            { label: "Show the song", picture: "music", href: page },
            ...artists.filter((one) => one.sourceId).map((one) => ({
                label: `Show ${one.name}`, picture: "profile",
                href: itemAddress("artist", { source, sourceId: one.sourceId }),
            })),
            album?.sourceId && {
                label: `Show ${album.name}`, picture: "album",
                href: itemAddress("album", { source, sourceId: album.sourceId }),
            },
        ],
    };
}

/** A song of a list that was made for the person. Its `id` is that of a track of the library, or `source:ID`. */
export function listedSong({ id, title, artist, album, durationMs, picture }, listId) {
    const colon = id.indexOf(":");
    if (colon < 0) return librarySong({ id, title, artist, album, durationMs, picture });
    const [source, sourceId] = [id.slice(0, colon), id.slice(colon + 1)];
    return {
        ...catalogSong({
            source, sourceId, title, artist, album: album ? { name: album } : null, durationMs, picture, url: null,
            libraryTrackId: null,
        }),
        // What is known of it is stored with the list: no service has to be asked.
        shared: { listId, itemId: id },
    };
}

/** A song that was played, which the library may not have. `shared` is how the API names the play. */
export function playedSong({ title, artist, album = null, trackId }, shared = null) {
    if (trackId) return librarySong({ id: trackId, title, artist, album });
    const search = searchAddress({ title, artist });
    return {
        title, artist, album, picture: null, trackId: null, catalog: null, shared, href: search,
        ...heard(null, `played:${artist}\n${title}`, { title, artist }),
        links: [{ label: "Search for it in Explore", picture: "explore", href: search }],
    };
}

/**
 * The song of a message, as it was when it was sent. It is sent on as that of the message, so that no service has to be
 * asked.
 */
export function sentSong({ id, song }) {
    const { title, artists, album, durationMs, picture, explicit, sources: [first] } = song;
    const artist = artists.join(", ");
    const shared = { messageId: id };
    if (!first) {
        return { ...playedSong({ title, artist, album, trackId: null }, shared), durationMs, picture, explicit };
    }
    return {
        ...catalogSong({
            ...first, title, artist, album: album ? { name: album } : null, durationMs, picture, explicit,
            libraryTrackId: null,
        }),
        shared,
    };
}

/** Plays a preview of a song, or pauses it. */
export function playSong({ key, title, artist, picture, preview }) {
    playPreview({ key, title, artist, picture }, preview);
}

/** Where Explore searches for a song. */
export function searchAddress({ title, artist }) {
    return `/explore?${new URLSearchParams({ q: `${title} ${artist ?? ""}`.trim().slice(0, 200) })}`;
}

/** The player's key of a song, and where its preview is found. */
export function heard(trackId, key, { title, artist, durationMs }) {
    if (trackId) return { key: trackId, preview: `/v1/library/tracks/${trackId}/preview` };
    const parts = new URLSearchParams({ title, artist, ...(durationMs && { durationMs }) });
    return { key, preview: `/v1/previews?${parts}` };
}
