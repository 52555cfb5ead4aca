import { songLabel } from "../songs/song-parts.js";
import { concertAddress, concertPlace } from "../ui/concert-names.js";
import { element } from "../ui/dom.js";
import { counted, releaseDate, shortDate, showDate } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { addressOf, nameOf } from "../ui/person-names.js";
import { kindName, kindNoun } from "./kinds.js";

/** What the items of each kind are called, the address of their page where they have one, and what else is said. */
const descriptions = {
    share: ({ id, song, sender }) => ({
        title: songLabel({ title: song.title, artist: song.artists.join(", ") }), href: `/shares/${encodeURIComponent(id)}`,
        detail: `Shared by ${nameOf(sender)}`,
    }),
    concert: (concert) => ({
        title: `Concert of ${concert.artistName}`, href: concertAddress(concert),
        detail: `${showDate(concert)} · ${concertPlace(concert)}`,
    }),
    comingShows: ({ of, name: about, count }) => ({
        title: of === "city" ? `Upcoming concerts in ${about}` : `Upcoming ${about} concerts`,
        detail: counted(count, "concert"),
    }),
    release: ({ title, artist, date }) => ({
        title: songLabel({ title, artist }), detail: `New release${date ? ` of ${releaseDate(date)}` : ""}`,
    }),
    follow: ({ person }) => ({ title: nameOf(person), href: addressOf(person), detail: "Follows you" }),
    sentSong: ({ person, message: { song, threadId } }) => ({
        title: songLabel({ title: song.title, artist: song.artists.join(", ") }), href: `/threads/${threadId}`,
        detail: `Sent by ${nameOf(person)}`,
    }),
    recommendation: ({ track }) => ({ title: songLabel(track), detail: "Recommended for you" }),
};

/** The key of a hidden item among all of them. */
export function hiddenKey({ kind, id }) {
    return `${kind}:${id}`;
}

/** What a hidden item is called in a sentence. */
export function hiddenTitle(item) {
    return described(item)?.title ?? kindNoun(item.kind, 1);
}

/** The row of a hidden item. `showAgain()` is called when the person wants it back. */
export function hiddenRow(item, showAgain) {
    const { title, href = null, detail } = described(item)
        ?? { title: kindName(item.kind, 1), detail: "It is gone, or you can no longer see it." };
    const button = element("button", {
        class: "button small", type: "button", "aria-label": `Show again: ${title}`, onclick: showAgain,
    }, "Show again");
    return element("li", { class: "card hidden-item" },
        element("div", { class: "hidden-words" },
            element("p", {}, href ? element("a", { href }, name(title)) : name(title)),
            element("p", { class: "secondary" }, name(detail)),
            element("p", { class: "secondary" }, "Hidden on ",
                element("time", { datetime: item.hiddenAt }, shortDate(item.hiddenAt)))),
        button);
}

/** `null` for an item of which nothing can be shown, and for a kind that a later gateway may have. */
function described(item) {
    const content = item[item.kind];
    return content ? descriptions[item.kind]?.(content) ?? null : null;
}
