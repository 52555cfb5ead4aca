import { element } from "../components/dom.js";
import { counted, localTimes, namesList } from "../components/formats.js";
import { icon } from "../components/icons.js";

const titles = {
    networkError: "Ticketmaster could not be reached",
    upstreamError: "Ticketmaster answered with an error",
    invalidResponse: "Ticketmaster’s answer could not be read",
    rateLimited: "Ticketmaster asked for fewer requests",
    ticketmasterKeyMissing: "Add your Ticketmaster API key",
    ticketmasterKeyInvalid: "Ticketmaster refused the API key",
    quotaExhausted: "Today’s requests to Ticketmaster are used up",
    dailyShareUsed: "Your share of today’s requests to Ticketmaster is used up",
    radiusIgnored: "Only the city itself was searched",
};
const aboutTheKey = ["ticketmasterKeyMissing", "ticketmasterKeyInvalid", "dailyShareUsed"];

const keyWords = {
    ticketmasterKeyMissing:
        "Concerts come from Ticketmaster, which wants a key of your own. It is free. Retry here when it is saved.",
    ticketmasterKeyInvalid:
        "If you saved a key, replace or remove it. If you did not, it was not yours: add one of your own, or tell whoever"
            + " runs this Backline.",
    dailyShareUsed:
        "Everybody may cause so many requests a day with this Backline’s own key. A key of your own is free and has no such"
            + " limit. Retry here when it is saved, or after midnight UTC.",
};

/** What a search could not find out, each reason once with its artists; `null` when there is nothing to say. */
export function searchWarnings(search, { retry }) {
    const reasons = Map.groupBy(search.warnings, (warning) => warning.code);
    if (reasons.size === 0) return null;
    const failed = search.coverage.filter(({ status }) => status === "failed" || status === "partial");
    return element("section", { class: "warnings", "aria-label": "Warnings" },
        [...reasons].map(([code, warnings]) => reason(code, warnings)),
        failed.length > 0 && element("button", { class: "button", type: "button", onclick: retry },
            icon("refresh"), `Retry ${counted(failed.length, "artist")}`));
}

function reason(code, warnings) {
    const { message, recovery } = warnings[0];
    const artists = [...new Set(warnings.map((warning) => warning.artist).filter(Boolean))];
    const words = titles[code] ? localTimes(recovery) : `${message} ${localTimes(recovery)}`;
    return element("div", { class: aboutTheKey.includes(code) ? "warning prompt" : "warning", "data-code": code },
        icon(aboutTheKey.includes(code) ? "key" : "alert"),
        element("div", {},
            element("h2", {}, titles[code] ?? "Something is missing"),
            artists.length > 0 && element("p", {}, `This concerns ${namesList(artists)}.`),
            aboutTheKey.includes(code) ? keySteps(code) : element("p", {}, words)));
}

/**
 * A person's own key is looked up with first; without one it is that of the installation, or of somebody who waits for
 * the same artist.
 */
function keySteps(code) {
    return [
        element("p", {}, keyWords[code]),
        element("a", { class: "button", href: "/setup/ticketmaster" },
            code === "ticketmasterKeyInvalid" ? "Change API key" : "Add API key"),
    ];
}
