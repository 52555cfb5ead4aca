import { librarySong } from "../songs/song.js";
import { songRow } from "../songs/song-row.js";
import { element, hiddenText } from "../ui/dom.js";
import { clockTime, counted, grouped, longDate, shortDate, shortReleaseDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { listRow, name } from "../ui/list-row.js";
import { sourceBadge } from "../ui/sources.js";
import { playlistMenu } from "./playlist-actions.js";
import { openAt } from "../songs/service-links.js";
import { artistAddress } from "../songs/song-parts.js";

/** The row of a track, with the services that have it. */
export function trackRow(track, options = {}) {
    return songRow(librarySong(track), {
        date: track.addedAt && shortDate(track.addedAt),
        marks: [...sourceBadges(track.sources), trackRemark(track)].filter(Boolean), ...options,
    });
}

/** The row of a playlist. */
export function playlistRow(playlist) {
    const { id, name: title, owner, source, trackCount, missingSince, lastSyncedAt } = playlist;
    return listRow({
        title, label: title, href: `/library/playlists/${id}`, image: playlist.picture,
        narrow: [owner && element("span", {}, "By ", name(owner)), size(trackCount)],
        columns: [
            { kind: "second", content: owner && name(owner) },
            { kind: "date", content: lastSyncedAt && clockTime(lastSyncedAt) },
            { kind: "aside", content: Number.isFinite(trackCount) ? grouped(trackCount) : null },
        ],
        marks: [...sourceBadges([source]), leftMark(missingSince)].filter(Boolean),
        menu: () => [{ label: "Show the playlist", picture: "playlist", href: `/library/playlists/${id}` },
            ...playlistMenu(playlist)],
    });
}

/** The row of an album. */
export function albumRow(album) {
    const { id, name: title, artist, source, trackCount, releaseDate, missingSince } = album;
    const released = releaseDate && shortReleaseDate(releaseDate);
    return listRow({
        title, label: artist ? `${title} by ${artist}` : title, href: `/library/albums/${id}`, image: album.picture,
        narrow: [artist && name(artist), released, size(trackCount)],
        columns: [
            { kind: "second", content: artist && name(artist) },
            { kind: "date", content: released },
            { kind: "aside", content: Number.isFinite(trackCount) ? grouped(trackCount) : null },
        ],
        marks: [...sourceBadges([source]), leftMark(missingSince)].filter(Boolean),
        menu: () => [{ label: "Show the album", picture: "album", href: `/library/albums/${id}` },
            artist && { label: `Show ${artist}`, picture: "profile", href: artistAddress(artist) },
            openAt("album", album)],
    });
}

export function sourceBadges(sources) {
    return [hiddenText("From"), ...sources.map((source) => sourceBadge(source))];
}

/** A remark on a track that has left the library, or that is only in a playlist. */
export function trackRemark({ missingSince, inLibrary }) {
    return leftMark(missingSince) || (inLibrary === false && textMark("library", "In a playlist only"));
}

function leftMark(since) {
    return since && textMark("dash", `Left your library on ${longDate(since)}`, `Left ${shortDate(since)}`);
}

/** The number of songs, or `null` if the service does not report it. */
function size(trackCount) {
    return Number.isFinite(trackCount) ? counted(trackCount, "song") : null;
}

function textMark(picture, text, short = text) {
    return element("span", { class: "mark remark-mark", title: text }, icon(picture),
        element("span", { class: "remark-text", "aria-hidden": "true" }, short), hiddenText(text));
}
