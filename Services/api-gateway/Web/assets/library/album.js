import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { counted, longDate, namesList, releaseDate } from "../ui/formats.js";
import { saveScrollPosition } from "../shell/navigate.js";
import { ListView } from "../ui/list-view.js";
import { picture } from "../ui/picture.js";
import { itemButtons } from "./item-buttons.js";
import { backToLibrary, libraryItemView, syncedText } from "./item-view.js";
import { emptyAlbum } from "./library-empty.js";
import { sourceBadges, trackRow } from "./rows.js";
import { songColumns } from "./lists.js";
import { artistAddress } from "../songs/song-parts.js";

export function show(view) {
    const { main, signal, scrollPosition, parameters: { id } } = view;
    const path = `/v1/library/albums/${id}`;
    let list = null;
    return libraryItemView({ main, signal, scrollPosition }, {
        title: "Album", noun: "album", path: `${path}?limit=1`, back: backToLibrary("/library?show=albums", "Albums"),
        content: (album) => {
            list = new ListView({
                label: `Songs on ${album.name}`, columns: songColumns, hasLead: true, scrollPosition,
                onScroll: saveScrollPosition, signal, row: (track) => trackRow(track, { lead: number(track) }),
                empty: emptyAlbum,
                load: async ({ position, limit, signal: current }) => {
                    const parts = new URLSearchParams({ position, limit });
                    const page = await api.get(`${path}?${parts}`, { signal: current });
                    return { items: page.tracks, total: page.total };
                },
            });
            // The list has to be in the page before it is measured.
            queueMicrotask(() => list.begin());
            return [header(album), list.element];
        },
    }).title;
}

function header(album) {
    const { name, artist, releaseDate: released, trackCount, total, genres, addedAt, missingSince } = album;
    const own = trackCount && trackCount !== total ? `${total} of ${counted(trackCount, "song")} in your library`
        : counted(total, "song");
    return element("header", { class: "detail-head" },
        picture(album.picture, name, { size: 240 }),
        element("div", { class: "detail-words" },
            element("h1", {}, element("bdi", {}, name)),
            artist && element("p", { class: "detail-artist" },
                element("a", { href: artistAddress(artist) }, element("bdi", {}, artist))),
            element("p", { class: "secondary" }, [released && releaseDate(released), own].filter(Boolean).join(" · ")),
            element("p", { class: "secondary" },
                [addedAt && `Added on ${longDate(addedAt)}`, syncedText(album)].filter(Boolean).join(" · ")),
            genres.length > 0 && element("p", { class: "secondary" }, namesList(genres)),
            missingSince && element("p", { class: "secondary" },
                `Left your library on ${longDate(missingSince)}.`),
            element("p", { class: "marks" }, sourceBadges([album.source]).flatMap((mark) => [" ", mark])),
            itemButtons("album", album)));
}

/** A song's number on the album. */
function number({ trackNumber }) {
    return element("span", { class: "row-lead", "aria-hidden": "true" }, trackNumber ?? "");
}
