import { itemAddress } from "../songs/addresses.js";
import { catalogSong } from "../songs/song.js";
import { songRow } from "../songs/song-row.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { listRow, name } from "../ui/list-row.js";
import { sourceName } from "../ui/sources.js";
import { rankArtist } from "./ranking.js";

/** The function that makes an item's row, by the item's type. */
export const rows = { track: trackRow, album: albumRow, artist: artistRow, playlist: playlistRow };

function trackRow(track, options = {}) {
    return songRow(catalogSong(track), {
        marks: [track.libraryTrackId && mark("library", "In your library")].filter(Boolean), ...options,
    });
}

function albumRow(album) {
    const { name: title, artist, releaseDate, trackCount, libraryAlbumId } = album;
    const year = releaseDate?.slice(0, 4);
    return listRow({
        title, label: artist ? `${title} by ${artist}` : title, image: album.picture,
        href: libraryAlbumId ? `/library/albums/${libraryAlbumId}` : itemAddress("album", album),
        parts: [artist && name(artist)], narrow: [year],
        columns: [
            { kind: "second", content: Number.isFinite(trackCount) && counted(trackCount, "song") },
            { kind: "date", content: year },
            { kind: "aside", content: null },
        ],
        marks: [libraryAlbumId && mark("library", "In your library")].filter(Boolean),
        menu: () => [{ label: "Show the album", picture: "album", href: itemAddress("album", album) }, openItem(album)],
    });
}

function artistRow(artist) {
    const { name: title, genres } = artist;
    return listRow({
        title, label: title, image: artist.picture, href: itemAddress("artist", artist),
        parts: [genres.length > 0 && genres.slice(0, 3).join(", ")],
        columns: [
            { kind: "second", content: null }, { kind: "date", content: null }, { kind: "aside", content: null },
        ],
        marks: [artist.isRanked && mark("check", "Ranked")].filter(Boolean),
        menu: () => [
            { label: "Show the artist", picture: "profile", href: itemAddress("artist", artist) },
            { label: "Add to your ranked artists", picture: "plus",
                ...(artist.isRanked ? { reason: "Already in your list." } : { action: () => rankArtist(artist) }) },
            openItem(artist),
        ],
    });
}

function playlistRow(playlist) {
    const { name: title, owner, trackCount } = playlist;
    return listRow({
        title, label: title, image: playlist.picture, href: itemAddress("playlist", playlist),
        parts: [owner && element("span", {}, "By ", name(owner))],
        columns: [
            { kind: "second", content: Number.isFinite(trackCount) && counted(trackCount, "song") },
            { kind: "date", content: null }, { kind: "aside", content: null },
        ],
        menu: () => [{ label: "Show the playlist", picture: "playlist", href: itemAddress("playlist", playlist) },
            openItem(playlist)],
    });
}

/** The menu item that opens an item at its service. */
function openItem({ source, url }) {
    const label = `Open in ${sourceName(source)}`;
    return url ? { label, picture: "external", href: url, external: true }
        : { label, picture: "external", reason: `No link to it on ${sourceName(source)} is known.` };
}

function mark(picture, text) {
    return element("span", { class: "mark" }, icon(picture), text);
}
