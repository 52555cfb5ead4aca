import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { counted, namesList } from "../ui/formats.js";
import { saveScrollPosition } from "../shell/navigate.js";
import { ListView } from "../ui/list-view.js";
import { picture } from "../ui/picture.js";
import { emptyView } from "../ui/problem-view.js";
import { artistConcerts } from "./artist-concerts.js";
import { backToLibrary } from "./item-view.js";
import { ownListens } from "./own-listens.js";
import { albumRow, trackRow } from "./rows.js";
import { songColumns } from "./lists.js";

/** The maximum number of albums and of genres shown. */
const mostAlbums = 60;
const mostGenres = 3;

export function show({ main, signal, scrollPosition }) {
    const artist = new URLSearchParams(location.search).get("name")?.trim() ?? "";
    if (!artist) {
        main.replaceChildren(backToLibrary(), element("h1", {}, "Artist"), emptyView({
            picture: "profile", title: "No artist selected", text: "Open an artist from one of your songs.",
            actions: [element("a", { class: "button primary", href: "/library" }, "Go to your library")],
        }));
        return "Artist";
    }
    const face = element("div", { class: "detail-face" }, picture(null, artist, { size: 240 }));
    const counts = element("p", { class: "secondary", role: "status" }, "Loading …");
    const genres = element("p", { class: "secondary" });
    const albums = element("section", { class: "detail-list", "aria-label": "Albums", hidden: true });
    const songs = new ListView({
        label: `Songs by ${artist}`, columns: songColumns, scrollPosition, onScroll: saveScrollPosition,
        signal, row: (track) => trackRow(track),
        load: ({ position, limit, signal: current }) =>
            api.get(`/v1/library/tracks?${of({ position, limit, sort: "album" })}`, { signal: current }),
        empty: () => emptyView({
            picture: "music", title: "No songs by this artist", level: 3,
            text: `Your library has no songs by ${artist}.`,
        }),
    });
    main.replaceChildren(element("div", { class: "detail" }, backToLibrary(),
        element("header", { class: "detail-head" }, face,
            element("div", { class: "detail-words" },
                element("h1", {}, element("bdi", {}, artist)), counts, genres,
                element("div", { class: "detail-buttons" },
                    element("a", { class: "button", href: "/explore/concerts" }, "Your ranked artists")))),
        ownListens({ artist }, { signal }),
        artistConcerts(artist, { signal }),
        albums,
        element("section", { class: "detail-list", "aria-label": "Songs" },
            element("h2", {}, "Songs"), songs.element)));
    load();
    return artist;

    function of(values) {
        return new URLSearchParams({ artist, ...values });
    }

    async function load() {
        songs.begin();
        try {
            const [own, saved] = await Promise.all([
                api.get(`/v1/library/tracks?${of({ limit: 200, sort: "playCount" })}`, { signal }),
                api.get(`/v1/library/albums?${of({ limit: mostAlbums })}`, { signal })]);
            counts.textContent = [counted(own.total, "song"), saved.total > 0 && counted(saved.total, "album")]
                .filter(Boolean).join(" · ");
            genres.textContent = namesList(frequent(own.items.flatMap((track) => track.genres)));
            const pictured = [...saved.items, ...own.items].find((item) => item.picture);
            if (pictured) face.replaceChildren(picture(pictured.picture, artist, { size: 240 }));
            showAlbums(saved);
        } catch (problem) {
            // The list of songs shows what is wrong.
            if (!signal.aborted && problem.status !== 401) counts.textContent = "";
        }
    }

    function showAlbums({ items, total }) {
        albums.hidden = items.length === 0;
        albums.replaceChildren(element("h2", {}, "Albums"),
            element("ul", { class: "rows" }, items.map((album) => albumRow(album))),
            total > items.length ? element("p", { class: "secondary" },
                `and ${counted(total - items.length, "more album")}`) : "");
    }
}

/** The most frequent texts, in descending order of frequency. */
function frequent(texts) {
    const counts = new Map();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one).slice(0, mostGenres).map(([text]) => text);
}
