import { element } from "../ui/dom.js";
import { counted, localTimes, namesList } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { keyAdvice, warningTitles } from "./search-warning-text.js";

/** What a search could not find out: each reason once, with its artists. `null` if there are no warnings. */
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
    const isAboutKey = code in keyAdvice;
    // A warning from a later gateway has no title here, so its message says what happened.
    const text = code in warningTitles ? localTimes(recovery) : `${message} ${localTimes(recovery)}`;
    return element("div", { class: isAboutKey ? "warning prompt" : "warning", "data-code": code },
        icon(isAboutKey ? "key" : "alert"),
        element("div", {},
            element("h2", {}, warningTitles[code] ?? "Something is missing"),
            artists.length > 0 && element("p", {}, `Affected: ${namesList(artists)}.`),
            isAboutKey ? keySteps(code) : element("p", {}, text)));
}

/** What to do about a warning that a Ticketmaster key resolves, with a link to the page where it is entered. */
function keySteps(code) {
    return [
        element("p", {}, keyAdvice[code]),
        element("a", { class: "button", href: "/setup/ticketmaster" },
            code === "ticketmasterKeyInvalid" ? "Change API key" : "Add API key"),
    ];
}
