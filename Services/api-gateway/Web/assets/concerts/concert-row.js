import { concertAddress, concertPlace } from "../ui/concert-names.js";
import { element, hiddenText } from "../ui/dom.js";
import { price, showDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { picture } from "../ui/picture.js";
import { safeURL } from "../ui/safe-url.js";

/** The states of a concert that are worth a mark. */
const statusLabels = {
    cancelled: "Cancelled", offsale: "Not on sale", postponed: "Postponed", rescheduled: "Rescheduled",
};
const extraLabels = {
    show: "Another offer", vip: "VIP", parking: "Parking", baggage: "Baggage", upsell: "Upgrade",
    dayPass: "Day pass", festivalPass: "Festival pass",
};

/** The maximum number of names shown from a bill: a festival has many. */
const mostNamed = 6;

/** A concert as a list item. `searchID` is that of the search that found it, or null. */
export function concertRow(concert, searchID) {
    const place = concertPlace(concert);
    const named = concert.name && concert.name !== concert.artistName;
    return element("li", { class: concert.isHomeCity ? "show at-home" : "show" },
        element("article", { class: "ticket", "aria-label": description(concert), tabindex: "-1" },
            picture(concert.picture, concert.artistName),
            element("div", { class: "ticket-text" },
                element("h3", {}, element("a", { href: concertAddress(concert) }, concert.artistName),
                    otherArtists(concert)),
                named && element("p", { class: "secondary event-name" }, concert.name),
                element("p", { class: "when" }, showDate(concert)),
                element("p", { class: "where" }, place),
                marks(concert)),
            element("div", { class: "stub" }, ticketLinks(concert, place, searchID)),
            extras(concert)));
}

/** "Imagine Dragons at Prague Arena, Praha 9, Fri, 11 December 2026, 20:00, in your home city" */
function description(concert) {
    const venue = concert.venueName ?? "a venue to be announced";
    return [`${concert.artistName} at ${venue}`, concert.city, showDate(concert),
        concert.isHomeCity && "in your home city"].filter(Boolean).join(", ");
}

/** " with Ellie Goulding, Gramatik and 3 more": the other artists on the bill. */
function otherArtists({ additionalArtists }) {
    if (additionalArtists.length === 0) return null;
    const named = additionalArtists.slice(0, mostNamed);
    const more = additionalArtists.length - named.length;
    return element("span", { class: "together" },
        ` with ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`);
}

/** What stands out about a concert: that it is at home, or its state. */
export function marks({ isHomeCity, status }) {
    const found = [
        isHomeCity && element("li", { class: "mark home" }, icon("home"), "In your home city"),
        status in statusLabels && element("li", { class: `mark ${status}` }, icon("alert"), statusLabels[status]),
    ].filter(Boolean);
    return found.length > 0 && element("ul", { class: "marks" }, found);
}

function ticketLinks(concert, place, searchID) {
    const what = `for ${concert.artistName} at ${place}`;
    const seller = safeURL(concert.ticketURL);
    const hasDate = concert.localDate && !concert.dateTBA;
    return [
        concert.priceRange && element("p", { class: "price" }, hiddenText("Price: "), price(concert.priceRange)),
        seller && element("a", { class: "button soft", href: seller, target: "_blank", rel: "noopener noreferrer" },
            "Get tickets", hiddenText(` ${what} (opens in a new tab)`), icon("external")),
        hasDate && element("a", {
            class: "button plain", download: true,
            href: searchID
                ? `/v1/concert-searches/${encodeURIComponent(searchID)}.ics?item=${encodeURIComponent(concert.id)}`
                : `/v1/concerts/${encodeURIComponent(concert.id)}.ics`,
        }, icon("calendar"), "Add to calendar", hiddenText(` ${what}`)),
    ];
}

function extras({ extras, artistName, venueName }) {
    if (extras.length === 0) return null;
    return element("details", { class: "extras" },
        element("summary", {}, extras.length === 1 ? "1 extra" : `${extras.length} extras`,
            hiddenText(` for ${artistName}${venueName ? ` at ${venueName}` : ""}`)),
        extrasList(extras));
}

/** What is sold around a concert, with links to the sellers. */
export function extrasList(extras) {
    return element("ul", {}, extras.map(({ name, kind, ticketURL }) => {
        const seller = safeURL(ticketURL);
        const label = extraLabels[kind] ?? kind;
        // "VIP Packages" says that it is VIP.
        const isSaid = name.toLowerCase().startsWith(label.toLowerCase());
        return element("li", {}, !isSaid && [element("span", { class: "extra-kind" }, label), " "], seller
            ? element("a", { href: seller, target: "_blank", rel: "noopener noreferrer" },
                name, hiddenText(" (opens in a new tab)"))
            : name);
    }));
}
