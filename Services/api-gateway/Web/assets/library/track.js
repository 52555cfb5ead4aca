import { replaceAddress } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { clockTime, counted, grouped, longDate, namesList, releaseDate, trackTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { openMenu } from "../ui/menu.js";
import { outsideLink } from "../ui/outside-link.js";
import { picture } from "../ui/picture.js";
import { sourceName } from "../ui/sources.js";
import { albumLink } from "./album-link.js";
import { libraryItemView, section } from "./item-view.js";
import { ownListens } from "./own-listens.js";
import { sourceBadges, trackRemark } from "./rows.js";
import { songAddress } from "../songs/service-links.js";
import { previewButton } from "../songs/preview-button.js";
import { librarySong } from "../songs/song.js";
import { songMenu } from "../songs/song-menu.js";
import { explicitBadge } from "../songs/song-row.js";
import { artistAddress, songLabel } from "../songs/song-parts.js";
import { trackChanges } from "./track-changes.js";
import { TrackIdentity } from "./track-identity.js";

export function show(view) {
    const { id } = view.parameters;
    const { title, load } = libraryItemView(view, {
        title: "Song", noun: "song", path: `/v1/library/tracks/${id}`,
        content: (track) => {
            // For the id of a song that was merged into another one, the API returns the other one.
            if (track.id !== id) replaceAddress(`/library/tracks/${track.id}`, { keepsScrollPosition: true });
            return [header(track, view.signal), ...parts(track, { signal: view.signal, reload: () => load() })];
        },
    });
    return title;
}

function header(track, signal) {
    const { title, artist, album, explicit } = track;
    const song = librarySong(track);
    return element("header", { class: "detail-head", "data-song": track.id },
        picture(track.picture, title, { size: 240 }),
        element("div", { class: "detail-words" },
            element("h1", {}, element("bdi", {}, title)),
            artist && element("p", { class: "detail-artist" },
                element("a", { href: artistAddress(artist) }, element("bdi", {}, artist))),
            album && element("p", { class: "secondary" }, albumLink(track, signal)),
            element("p", { class: "marks" }, sourceBadges(track.sources).flatMap((mark) => [" ", mark]),
                explicit && explicitBadge(), trackRemark(track)),
            element("div", { class: "detail-buttons" },
                previewButton(song, { isPrimary: true }),
                element("button", {
                    class: "button", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
                    "aria-label": `Actions for ${songLabel(track)}`,
                    onclick: ({ currentTarget: at }) =>
                        openMenu({ label: `Actions for ${songLabel(track)}`, items: songMenu(song), at, opener: at }),
                }, icon("more"), "More"))));
}

function parts(track, { signal, reload }) {
    return [
        element("div", { class: "track-parts" }, ownListens({ trackId: track.id }, { signal }), facts(track)),
        new TrackIdentity(track, { signal, reload }).element,
        trackChanges(track, { signal }),
    ];
}

function facts(track) {
    const at = (source) => track.sourceTracks.filter((one) => one.source === source);
    return [
        section("Track info", element("dl", { class: "facts" },
            track.durationMs && fact("Duration", trackTime(track.durationMs)),
            track.discNumber && fact("Disc", track.discNumber), track.trackNumber && fact("Track", track.trackNumber),
            track.genres.length > 0 && fact("Genre", namesList(track.genres)),
            track.releaseDate && fact("Released", releaseDate(track.releaseDate)),
            track.explicit !== null && fact("Explicit", track.explicit ? "Yes" : "No"),
            track.isrc && fact("ISRC", element("code", {}, track.isrc)),
            track.composer && fact("Composer", element("bdi", {}, track.composer)),
            track.albumArtist && fact("Album artist", element("bdi", {}, track.albumArtist)))),
        ...at("appleMusic").map((one) => section("Apple Music", element("dl", { class: "facts" }, plays(one),
            one.catalogId && fact("Catalog", element("a", { href: `/explore/appleMusic/track/${one.catalogId}` },
                "Show in the catalog")), ...saved(one)))),
        ...at("spotify").map((one) => section("Spotify", element("dl", { class: "facts" },
            one.popularity !== null && fact("Popularity", `${one.popularity} of 100`), ...saved(one)))),
        ...at("file").map((one) => section("Files", element("dl", { class: "facts" }, plays(one), ...saved(one)))),
        section("Sync info", element("dl", { class: "facts" },
            track.sourceTracks.map((one) => fact(
                one.source === "file" ? "Imported" : `Synced from ${sourceName(one.source)}`, clockTime(one.syncedAt))))),
    ];
}

/** What Apple Music and files report about plays. */
function plays({ playCount, lastPlayedAt, rating }) {
    return [
        // The service may not say.
        Number.isFinite(playCount) && fact("Plays", grouped(playCount)),
        fact("Last played", lastPlayedAt ? clockTime(lastPlayedAt) : "Unknown"),
        rating !== null && fact("Rating", ratingText(rating)),
    ];
}

/** What every source reports about a song: when it was added, whether it has left, and where to open it. */
function saved(one) {
    const address = songAddress(one);
    return [
        one.addedAt && fact("Added", longDate(one.addedAt)),
        one.missingSince && fact("Left the library", longDate(one.missingSince)),
        address && fact("Page", outsideLink(address, `Open in ${sourceName(one.source)}`)),
    ];
}

/** Apple Music rates from 0 to 100, 20 for each star. */
function ratingText(rating) {
    return `${counted(Math.round(rating / 20), "star")} of 5`;
}
