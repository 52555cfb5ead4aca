import { concertAddress, concertPlace } from "../ui/concert-names.js";
import { element, hiddenText } from "../ui/dom.js";
import { counted, namesList, showDate } from "../ui/formats.js";
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

/** The card of the coming concerts of an artist or a city that the person has just chosen. */
export function comingShowsCard({ at, comingShows }, { items }) {
    const { of, name: about, count, shows } = comingShows;
    const link = of === "city" ? "in" : "of";
    return feedCard({
        face: "ticket", at, items, label: `the coming concerts ${link} ${about}`,
        title: [`${counted(count, "coming concert")} ${link} `, name(about)],
        content: [
            element("ul", { class: "coming-shows" }, shows.slice(0, mostShows).map((show) => element("li", {},
                element("a", { href: concertAddress(show) }, name(show.artistName)),
                element("span", { class: "secondary" }, `${showDate(show)} · `, name(concertPlace(show)))))),
            element("p", {}, element("a", {
                href: of === "city" ? "/explore/nearby" : "/explore/concerts",
            }, of === "city" ? "All concerts near you" : "Your artists and their concerts")),
        ],
    });
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
    const shown = (value) => value ?? "to be announced";
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
