import { detailView } from "../shell/detail-view.js";
import { EventStream } from "../shell/event-stream.js";
import { songLabel } from "../songs/song-parts.js";
import { element } from "../ui/dom.js";
import { name } from "../ui/list-row.js";
import { outsideLink } from "../ui/outside-link.js";
import { safeURL } from "../ui/safe-url.js";
import { sourceName } from "../ui/sources.js";
import { previewButton } from "../songs/preview-button.js";
import { ShareCard } from "./share-card.js";
import { placesOf, sharedSong } from "./shared-song.js";

const missing = {
    picture: "share", title: "There is no such share",
    text: "It may have been deleted, you may not see it, or the address may be mistyped.",
    actions: [element("a", { class: "button primary", href: "/feed" }, "Go to the feed")],
};

/** The page of one share: its song with the message, and where the reader can open the song. */
export function show(view) {
    const { signal, parameters: { id } } = view;
    let isShown = false;
    const { title, load } = detailView(view, {
        title: "Share", path: `/v1/shares/${id}`, missing,
        back: element("p", { class: "way" }, element("a", { href: "/feed" }, "← Feed")),
        content: (share) => {
            isShown = !share.gone;
            if (share.gone) return [element("h1", {}, "Share"), goneNotice()];
            const song = sharedSong(share);
            return [
                element("h1", {}, name(songLabel(song))),
                new ShareCard(share, { signal, isWhole: true, changed: (after) => after.gone && load() }).element,
                element("div", { class: "detail-buttons" }, previewButton(song, { isPrimary: true })),
                places(id),
            ];
        },
    });
    const stream = new EventStream({ signal });
    stream.addEventListener("reset", () => isShown && load(), { signal });
    stream.addEventListener("share", ({ detail }) => detail.id === id && isShown && load(), { signal });
    stream.addEventListener("gone", ({ detail }) => {
        // Or somebody has closed their profile or is gone, perhaps who shared it or reacted to it.
        if (isShown && (detail.id === id || ["itemsOf", "person"].includes(detail.kind))) load();
    }, { signal });
    return title;
}

function goneNotice() {
    return element("p", { class: "secondary", role: "status" }, "It was deleted.");
}

/** Where the reader can open the song: in their library, or at a service. */
function places(id) {
    const list = element("ul", { class: "song-places" });
    placesOf(id).then(({ trackId, openings }) => {
        list.append(...[
            trackId && element("li", {}, element("a", { href: `/library/tracks/${trackId}` }, "Show it in your library")),
            ...openings.filter(({ url }) => safeURL(url)).map(({ source, url, isSearch }) => element("li", {},
                outsideLink(safeURL(url), isSearch ? `Search on ${sourceName(source)}` : `Open in ${sourceName(source)}`))),
        ].filter(Boolean));
    }, () => {
        // The song's menu reads it again, and says so if that fails.
    });
    return list;
}
