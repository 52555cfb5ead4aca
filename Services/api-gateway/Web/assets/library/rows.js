import { element, hiddenText } from "../ui/dom.js";
import { counted, grouped, longDate, shortDate, trackTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { listRow, name } from "../ui/list-row.js";
import { sourceBadge } from "../ui/sources.js";
import { playlistMenu } from "./playlist-actions.js";
import { openAt } from "./service-links.js";
import { artistAddress, songLabel } from "./song-parts.js";
import { playTrack, trackMenu } from "./song-actions.js";

/** The row of a track, with the services that have it. */
export function trackRow(track, options = {}) {
    const { id, title, artist, album, durationMs, explicit, addedAt } = track;
    return listRow({
        title, label: songLabel(track), href: `/library/tracks/${id}`, image: track.picture, song: id,
        badge: explicit && explicitBadge(), parts: [artist && name(artist)], narrow: [album && name(album)],
        columns: [
            { kind: "second", content: album && name(album) },
            { kind: "date", content: addedAt && shortDate(addedAt) },
            { kind: "aside", content: durationMs ? trackTime(durationMs) : null },
        ],
        marks: [...sourceBadges(track.sources), trackRemark(track)].filter(Boolean),
        play: () => playTrack(track), menu: () => trackMenu(track), ...options,
    });
}

/** The row of a playlist. */
export function playlistRow(playlist) {
    const { id, name: title, owner, source, trackCount, missingSince } = playlist;
    return listRow({
        title, label: title, href: `/library/playlists/${id}`, image: playlist.picture,
        narrow: [owner && element("span", {}, "By ", name(owner)), size(trackCount)],
        columns: [
            { kind: "second", content: owner && name(owner) },
            { kind: "date", content: null },
            { kind: "aside", content: Number.isFinite(trackCount) ? grouped(trackCount) : null },
        ],
        marks: [...sourceBadges([source]), gone(missingSince)].filter(Boolean),
        menu: () => [{ label: "Show the playlist", picture: "playlist", href: `/library/playlists/${id}` },
            ...playlistMenu(playlist)],
    });
}

/** The row of an album. */
export function albumRow(album) {
    const { id, name: title, artist, source, trackCount, releaseDate, missingSince } = album;
    const year = releaseDate && releaseDate.slice(0, 4);
    return listRow({
        title, label: artist ? `${title} by ${artist}` : title, href: `/library/albums/${id}`, image: album.picture,
        narrow: [artist && name(artist), year, size(trackCount)],
        columns: [
            { kind: "second", content: artist && name(artist) },
            { kind: "date", content: year },
            { kind: "aside", content: Number.isFinite(trackCount) ? grouped(trackCount) : null },
        ],
        marks: [...sourceBadges([source]), gone(missingSince)].filter(Boolean),
        menu: () => [{ label: "Show the album", picture: "album", href: `/library/albums/${id}` },
            artist && { label: `Show ${artist}`, picture: "profile", href: artistAddress(artist) },
            openAt("album", album)],
    });
}

export function sourceBadges(sources) {
    return [hiddenText("From"), ...sources.map((source) => sourceBadge(source))];
}

export function explicitBadge() {
    return element("span", { class: "row-explicit" }, element("span", { "aria-hidden": "true" }, "E"),
        hiddenText("explicit"));
}

/** A remark on a track that has left the library, or that is only in a playlist. */
export function trackRemark({ missingSince, inLibrary }) {
    return gone(missingSince) || (inLibrary === false && remark("library", "In a playlist only"));
}

function gone(since) {
    return since && remark("dash", `Left your library on ${longDate(since)}`, `Left ${shortDate(since)}`);
}

/** The number of songs, or `null` if the service does not report it. */
function size(trackCount) {
    return Number.isFinite(trackCount) ? counted(trackCount, "song") : null;
}

function remark(picture, text, short = text) {
    return element("span", { class: "mark remark-mark", title: text }, icon(picture),
        element("span", { class: "remark-text", "aria-hidden": "true" }, short), hiddenText(text));
}
