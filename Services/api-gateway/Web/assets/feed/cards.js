import { FollowButton } from "../people/follow-button.js";
import { ShareCard } from "../shares/share-card.js";
import { ShareMessage } from "../shares/share-message.js";
import { itemAddress } from "../songs/addresses.js";
import { songLabel } from "../songs/song-parts.js";
import { songRow } from "../songs/song-row.js";
import { listedSong, sentSong } from "../songs/song.js";
import { element, hiddenText } from "../ui/dom.js";
import { counted, releaseDate } from "../ui/formats.js";
import { name, separated } from "../ui/list-row.js";
import { addressOf, nameOf } from "../ui/person-names.js";
import { picture } from "../ui/picture.js";
import { sourceName } from "../ui/sources.js";
import { feedCard } from "./card.js";
import { comingShowsCard, concertCard } from "./concert-cards.js";

const makers = {
    share: shareCard, concert: concertCard, comingShows: comingShowsCard, release: releaseCard, follow: followCard,
    recommendation: recommendationCard, sentSong: sentSongCard,
};

/**
 * The card of an item: `{ element, show }`. `show(item)` shows another state of it, where the card can. `items()` are
 * the items of its menu, and `changed(item)` gets the item after the person changed it. Returns `null` for a kind that a
 * later gateway may have.
 */
export function cardOf(item, options) {
    const made = makers[item.kind]?.(item, options);
    if (!made) return null;
    return made instanceof Element ? { element: made, show: null } : made;
}

function shareCard(item, { signal, items, changed }) {
    const card = new ShareCard(item.share, {
        signal, further: items, changed: (share) => changed({ ...item, share }),
    });
    card.element.classList.add("feed-card");
    return { element: card.element, show: ({ share }) => card.show(share) };
}

function followCard({ at, follow: { person } }, { items }) {
    return feedCard({
        face: element("span", { class: "person-face" }, picture(person.picture, nameOf(person))), at, items,
        label: `the new follower ${nameOf(person)}`,
        title: [element("a", { class: "person-name", href: addressOf(person) }, name(nameOf(person))), " follows you"],
        content: element("div", { class: "detail-buttons" }, new FollowButton(person).element),
    });
}

const releaseTypes = { album: "album", single: "single", ep: "EP", compilation: "compilation" };

function releaseCard({ at, release }, { items }) {
    const { title, artist: by, type, date, links, editions } = release;
    const [first] = links;
    const address = first && itemAddress("album", first);
    const { trackCount } = editions.find((one) => one.sourceId === first?.sourceId) ?? {};
    return feedCard({
        face: picture(release.picture, title), at, items, className: "release-card", label: `the release ${title}`,
        title: [`New ${releaseTypes[type] ?? "release"}${by ? " by " : ""}`, by && name(by), ": ",
            address ? element("a", { href: address }, name(title)) : name(title)],
        content: [
            element("p", { class: "secondary" }, ...separated([
                date && releaseDate(date), trackCount && counted(trackCount, "song"),
                editions.length > links.length && counted(editions.length, "edition"),
            ])),
            element("div", { class: "detail-buttons" }, links.map((link) => element("a", {
                class: "button", href: itemAddress("album", link),
            }, `Show on ${sourceName(link.source)}`, hiddenText(`: ${title}`)))),
        ],
    });
}

function recommendationCard({ at, recommendation }, { items }) {
    const { track, reason, listId } = recommendation;
    return feedCard({
        face: "spark", at, items, label: `the recommendation of ${track.title}`, title: "Recommended for you",
        content: [
            element("p", {}, reason),
            element("ul", { class: "rows share-song", "aria-label": "The song" }, songRow(listedSong(track, listId))),
        ],
    });
}

function sentSongCard({ at, sentSong: { person, message } }, { items }) {
    const song = sentSong(message);
    const words = new ShareMessage({ label: songLabel(song), isWhole: false });
    words.show(message.text ?? "");
    return feedCard({
        face: element("span", { class: "person-face" }, picture(person.picture, nameOf(person))), at, items,
        label: `the song that ${nameOf(person)} sent you`,
        title: [element("a", { class: "person-name", href: addressOf(person) }, name(nameOf(person))),
            " sent you a song"],
        content: [
            words.element,
            element("ul", { class: "rows share-song", "aria-label": "The song" }, songRow(song)),
            element("div", { class: "detail-buttons" }, element("a", {
                class: "button", href: `/threads/${message.threadId}`,
            }, "Show the message", hiddenText(` of ${nameOf(person)}`))),
        ],
    });
}
