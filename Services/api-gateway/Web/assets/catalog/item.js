import { detailView } from "../shell/detail-view.js";
import { itemAddress, itemPath } from "../songs/addresses.js";
import { previewButton } from "../songs/preview-button.js";
import { catalogSong } from "../songs/song.js";
import { songMenu } from "../songs/song-menu.js";
import { element } from "../ui/dom.js";
import { counted, releaseDate, trackTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { openMenu } from "../ui/menu.js";
import { picture } from "../ui/picture.js";
import { emptyView } from "../ui/problem-view.js";
import { sourceName } from "../ui/sources.js";
import { hitList } from "./hits.js";
import { rankArtist } from "./ranking.js";
import { catalogProblemView } from "./catalog-problem.js";

const titles = { track: "Song", album: "Album", artist: "Artist", playlist: "Playlist" };

/** The page of an item in a service's catalog, whether it is in the library or not. */
export function show({ main, signal, parameters, scrollPosition }) {
    const { source, type, id } = parameters;
    const title = titles[type] ?? "Music";
    const path = itemPath(type, { source, sourceId: id });
    const back = element("nav", { class: "way", "aria-label": "Back" },
        element("a", { href: "/explore" }, "← Explore"));
    return detailView({ main, signal, scrollPosition }, {
        title, path, back,
        content: (item) => [header(type, item), content(type, item, { path, signal })],
        missing: {
            picture: "explore", title: `Not found on ${sourceName(source)}`,
            text: "It may have been removed or hidden from you, or the address may be mistyped.",
            actions: [element("a", { class: "button primary", href: "/explore" }, "Go to Explore")],
        },
        failure: catalogProblemView,
    }).title;
}

function header(type, item) {
    const title = item.title ?? item.name;
    return element("header", { class: "detail-head", "data-song": type === "track" ? catalogSong(item).key : null },
        picture(item.picture, title, { size: 240 }),
        element("div", { class: "detail-words" },
            element("p", { class: "secondary" }, titles[type]),
            element("h1", {}, name(title)),
            credits(type, item),
            element("p", { class: "secondary" }, facts(type, item).join(" · ")),
            element("div", { class: "detail-buttons" }, buttons(type, item))));
}

function credits(type, item) {
    if (type === "playlist") return item.owner && element("p", { class: "detail-artist" }, "By ", name(item.owner));
    if (type === "artist") return null;
    return element("p", { class: "detail-artist" }, item.artists.flatMap((artist, index) => [
        index > 0 && ", ",
        artist.sourceId
            ? element("a", { href: itemAddress("artist", { ...item, sourceId: artist.sourceId }) }, name(artist.name))
            : name(artist.name),
    ]));
}

function facts(type, item) {
    const count = Number.isFinite(item.trackCount) && counted(item.trackCount, "song");
    const date = item.releaseDate && releaseDate(item.releaseDate);
    return {
        track: [item.album?.name, date, item.durationMs && trackTime(item.durationMs), item.explicit && "explicit"],
        album: [date, count],
        artist: [item.genres?.slice(0, 4).join(", ")],
        playlist: [count, item.description],
    }[type].filter(Boolean);
}

function buttons(type, item) {
    const own = item.libraryTrackId ? `/library/tracks/${item.libraryTrackId}`
        : item.libraryAlbumId && `/library/albums/${item.libraryAlbumId}`;
    const album = type === "track" && item.album?.sourceId
        && itemAddress("album", { ...item, sourceId: item.album.sourceId });
    return [
        type === "track" && previewButton(catalogSong(item)),
        own && element("a", { class: "button primary", href: own }, icon("library"), "In your library"),
        type === "artist" && rankButton(item),
        type === "track" && element("button", {
            class: "button", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
            "aria-label": `Actions for ${item.title}`, onclick: ({ currentTarget: at }) =>
                openMenu({ label: `Actions for ${item.title}`, items: songMenu(catalogSong(item)), at, opener: at }),
        }, icon("more"), "More"),
        album && element("a", { class: "button", href: album }, icon("album"), "Show the album"),
        item.url && element("a", { class: "button", href: item.url, target: "_blank", rel: "noopener noreferrer" },
            icon("external"), `Open in ${sourceName(item.source)}`),
    ];
}

function rankButton(artist) {
    const container = element("span", { class: "rank-place" });
    render();
    return container;

    function render() {
        container.replaceChildren(artist.isRanked
            ? element("a", { class: "button", href: "/explore/concerts" }, icon("check"), "In your ranked artists")
            : element("button", { class: "button primary", type: "button", onclick: async () => {
                if (!await rankArtist(artist)) return;
                artist.isRanked = true;
                render();
                container.firstChild.focus();
            } }, icon("plus"), "Add to your ranked artists"));
    }
}

/** The contents of an album, artist or playlist. */
function content(type, item, { path, signal }) {
    const held = { album: ["track", "tracks", "Songs"], playlist: ["track", "tracks", "Songs"],
        artist: ["album", "albums", "Albums and singles"] }[type];
    if (!held) return "";
    const [heldType, member, title] = held;
    return element("section", { class: "detail-list", "aria-label": title },
        element("h2", {}, title),
        item[member] === null
            ? emptyView({
                picture: "music", title: "Not shown here", level: 3,
                text: `${sourceName(item.source)} shows this playlist’s songs only in its own app.`,
            })
            : item[member].items.length === 0
                ? emptyView({ picture: "music", title: `No ${title.toLowerCase()}`, text: "Nothing here yet.", level: 3 })
                : hitList(heldType, item[member], {
                    label: title, signal, path: (cursor) => `${path}?${new URLSearchParams({ cursor })}`,
                    read: (further) => further[member],
                }));
}
