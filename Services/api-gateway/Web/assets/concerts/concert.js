import { detailView } from "../shell/detail-view.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { longDate, price, showDate, showDay, showTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { outsideLink } from "../ui/outside-link.js";
import { picture } from "../ui/picture.js";
import { safeURL } from "../ui/safe-url.js";
import { extrasList, marks } from "./concert-row.js";
import { historyEntries } from "./concert-history.js";
import { shareButton } from "./share-button.js";

/** The page of one concert, as far as lookups have found it. */
export function show({ main, signal, parameters, scrollPosition }) {
    const path = `/v1/concerts/${encodeURIComponent(parameters.id)}`;
    return detailView({ main, signal, scrollPosition }, {
        title: "Concert", path,
        back: element("nav", { class: "way", "aria-label": "Back" }, element("a", { href: "/explore" }, "← Explore")),
        content: (concert) => [
            header(concert, path), details(concert), lineUp(concert), offers(concert), history(concert),
        ],
        missing: {
            picture: "ticket", title: "Backline does not know this concert",
            text: "It may be over, or the address may be mistyped. Search for the artist’s concerts.",
            actions: [element("a", { class: "button primary", href: "/explore/concerts" }, "Find concerts")],
        },
    }).title;
}

function header(concert, path) {
    const tickets = safeURL(concert.ticketURL);
    return element("header", { class: "detail-head" },
        picture(concert.picture, concert.artistName, { size: 240 }),
        element("div", { class: "detail-words" },
            element("p", { class: "secondary" }, "Concert"),
            element("h1", {}, name(concert.artistName)),
            concert.name !== concert.artistName && element("p", { class: "secondary" }, name(concert.name)),
            element("p", { class: "when" }, showDate(concert)),
            marks(concert),
            element("div", { class: "detail-buttons" },
                tickets && element("a", {
                    class: "button primary", href: tickets, target: "_blank", rel: "noopener noreferrer",
                }, "Get tickets", element("span", { class: "visually-hidden" }, " (opens in a new tab)"), icon("external")),
                concert.localDate && !concert.dateTBA && element("a", {
                    class: "button", download: true, href: `${path}.ics`,
                }, icon("calendar"), "Add to calendar"),
                shareButton(concert))));
}

function details(concert) {
    const { venue } = concert;
    return element("section", { class: "detail-list", "aria-label": "Details" },
        element("dl", { class: "facts" },
            fact("Date", when(concert)),
            concert.initialDate && concert.initialDate !== concert.localDate
                && fact("First date", showDay(concert.initialDate)),
            concert.doorsAt && fact("Doors", showTime(concert.doorsAt)),
            fact("Venue", ...venueLines(venue)),
            fact("Price", concert.priceRange ? price(concert.priceRange) : "Not announced"),
            fact("Tickets", ticketState(concert))));
}

/** The date with the zone of the venue, since the reader may be elsewhere. */
function when(concert) {
    const until = concert.endDate && concert.endDate !== concert.localDate
        ? `, until ${showDay(concert.endDate)}` : "";
    const zone = concert.localTime && !concert.timeTBA && concert.venue?.timeZone;
    return `${showDate(concert)}${until}${zone ? ` (${zone.replaceAll("_", " ")})` : ""}`;
}

function venueLines(venue) {
    if (!venue) return ["To be announced"];
    const place = [venue.city, venue.state, venue.country ?? venue.countryCode].filter(Boolean).join(", ");
    const lines = [venue.name ?? "Venue to be announced", venue.address, place].filter(Boolean);
    const map = safeURL(venue.mapURL);
    return [
        ...lines.map((line) => element("span", { class: "venue-line" }, line)),
        map && outsideLink(map, "Show on a map"),
    ];
}

function ticketState({ status, isOnSale, saleStartsAt }) {
    if (status === "cancelled") return "The concert is cancelled.";
    if (isOnSale) return "On sale";
    if (saleStartsAt && Date.parse(saleStartsAt) > Date.now()) return `On sale from ${longDate(saleStartsAt)}`;
    return "Not on sale";
}

function lineUp({ bill }) {
    if (bill.length < 2) return null;
    return element("section", { class: "detail-list", "aria-labelledby": "line-up" },
        element("h2", { id: "line-up" }, "Line-up"),
        element("ul", { class: "line-up" }, bill.map((performer) =>
            element("li", {}, picture(performer.picture, performer.name, { size: 48 }), name(performer.name)))));
}

function offers({ extras }) {
    if (extras.length === 0) return null;
    return element("section", { class: "detail-list concert-extras", "aria-labelledby": "concert-extras" },
        element("h2", { id: "concert-extras" }, "Extras"), extrasList(extras));
}

function history(concert) {
    return element("section", { class: "detail-list", "aria-labelledby": "concert-history" },
        element("h2", { id: "concert-history" }, "History"),
        element("ol", { class: "concert-history" }, historyEntries(concert).map(({ at, text }) =>
            element("li", {}, element("span", { class: "secondary" }, longDate(at)), " ", text))),
        element("p", { class: "secondary" }, `Last checked with Ticketmaster on ${longDate(concert.checkedAt)}.`));
}
