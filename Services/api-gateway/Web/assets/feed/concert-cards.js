import { concertAddress, concertPlace } from "../ui/concert-names.js";
import { element, hiddenText } from "../ui/dom.js";
import { counted, grouped, namesList, showDate, showDay, showTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { picture } from "../ui/picture.js";
import { safeURL } from "../ui/safe-url.js";
import { feedCard } from "./card.js";

/** What happened to a concert, by the API's names. */
const reasons = {
    announced: "plays", onSale: "is on sale", moved: "was moved", postponed: "was postponed", cancelled: "was cancelled",
    reinstated: "takes place after all",
};
const fields = { date: "Date", time: "Time", venue: "Venue" };
/** How values of these fields are written. Others are names. */
const formats = { date: showDay, time: showTime };
/** The most shows of a card of several. */
const mostShows = 5;

/** The card of something that happened to a concert. */
export function concertCard({ at, concert }, { items }) {
    const { reason, changes, ...show } = concert;
    // A cancelled concert has no new date to come.
    const shown = changes.filter(({ field, to }) => field in fields && (to !== null || reason !== "cancelled"));
    return feedCard({
        face: picture(show.picture, show.artistName), at, items, className: "concert-card",
        label: `the concert of ${show.artistName}`,
        title: [element("a", { href: concertAddress(show) }, name(show.artistName)), ` ${sentence(reason, show)}`],
        content: [
            details(show),
            shown.length > 0 && element("ul", { class: "concert-changes" }, shown.map(change)),
            element("div", { class: "detail-buttons" }, ways(show)),
        ],
    });
}

/** The card of the upcoming concerts of an artist or a city that the person has just chosen. */
export function comingShowsCard({ at, comingShows }, { items }) {
    const { of, name: about, count, shows } = comingShows;
    const isOfCity = of === "city";
    return feedCard({
        face: "ticket", at, items,
        label: isOfCity ? `the upcoming concerts in ${about}` : `the upcoming ${about} concerts`,
        title: isOfCity ? [`${counted(count, "upcoming concert")} in `, name(about)]
            : [`${grouped(count)} upcoming `, name(about), count === 1 ? " concert" : " concerts"],
        content: [
            element("ul", { class: "coming-shows" }, byDate(shows).slice(0, mostShows).map((show) => element("li", {},
                element("a", { href: concertAddress(show) }, performers(show, isOfCity ? null : about)),
                element("span", { class: "secondary" }, `${showDate(show)} · `, name(concertPlace(show)))))),
            element("p", {}, element("a", {
                href: isOfCity ? "/explore/nearby" : "/explore/concerts",
            }, isOfCity ? "All concerts near you" : "Your artists and their concerts")),
        ],
    });
}

/** A show may have been moved since the card was made. Those without a date are the last. */
function byDate(shows) {
    const key = ({ localDate, localTime, dateTBA }) =>
        dateTBA || !localDate ? "~" : `${localDate} ${localTime ?? "~"}`;
    return shows.toSorted((one, other) => key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0);
}

/** Who plays, with the artist of the card, whose concert it may be as a guest of another. */
function performers({ artistName }, artist) {
    const isNamed = !artist || artistName.localeCompare(artist, undefined, { sensitivity: "base" }) === 0;
    return isNamed ? name(artistName) : [name(artistName), " with ", name(artist)];
}

function sentence(reason, show) {
    return reason === "announced" ? `plays in ${show.city ?? show.venueName ?? "a venue to be announced"}`
        : `${show.city ? `in ${show.city} ` : ""}${reasons[reason] ?? "has news"}`;
}

function details(show) {
    const others = show.additionalArtists;
    return element("div", {},
        others.length > 0 && element("p", { class: "secondary" }, `With ${namesList(others)}`),
        element("p", { class: "when" }, showDate(show)),
        element("p", {}, name(concertPlace(show))),
        show.isHomeCity && element("ul", { class: "marks" },
            element("li", { class: "mark home" }, icon("home"), "In your home city")));
}

function change({ field, from, to }) {
    const format = formats[field] ?? ((value) => value);
    const shown = (value) => value === null ? "to be announced" : format(value);
    return element("li", {}, `${fields[field]}: `, element("del", {}, hiddenText("formerly "), shown(from)), " → ",
        element("ins", {}, hiddenText("now "), shown(to)));
}

function ways(show) {
    const seller = show.status !== "cancelled" && safeURL(show.ticketURL);
    return [
        seller && element("a", { class: "button soft", href: seller, target: "_blank", rel: "noopener noreferrer" },
            "Get tickets", hiddenText(` for ${show.artistName} (opens in a new tab)`), icon("external")),
        element("a", { class: "button", href: concertAddress(show) }, "Show the concert",
            hiddenText(` of ${show.artistName}`)),
    ];
}
