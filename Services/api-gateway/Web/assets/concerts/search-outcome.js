import { element } from "../components/dom.js";
import { namesList } from "../components/formats.js";
import { icon } from "../components/icons.js";
import { emptyView } from "../components/problem-view.js";

/**
 * What is to be said about a search that is over, beside its shows or in their place; `null` when the shows say it
 * all. A search of `null` is one that nobody knows.
 */
export function searchOutcome(search, { hasConcerts, retry }) {
    if (!search) {
        return emptyView({
            picture: "ticket", title: "There is no such search",
            words: "It may be too old, or somebody else’s. Begin a new one from your artists.", actions: [goBack()],
        });
    }
    return hasConcerts ? remarks(search, retry) : nothing(search, retry);
}

function nothing(search, retry) {
    const { done, total } = search.progress;
    const again = (words) =>
        element("button", { class: "button primary", type: "button", onclick: retry }, icon("refresh"), words);
    if (search.state === "cancelled") {
        return emptyView({
            picture: "cross", title: "The search was stopped", words: `${done} of ${total} artists were looked up.`,
            actions: [again("Look up the others"), goBack()],
        });
    }
    if (search.state === "failed") {
        return emptyView({
            picture: "alert", title: "No concerts could be looked up",
            words: "Why is said above. Nothing of your list is lost.", actions: [again("Retry"), goBack()],
        });
    }
    const unknown = unknownArtists(search);
    return emptyView({
        picture: "ticket", title: "No concerts found",
        words: [
            search.warnings.length > 0
                ? "The artists that could be looked up have no shows on sale at Ticketmaster."
                : "Your artists have no shows on sale at Ticketmaster. Look again in a few days, or rank more artists.",
            unknown && sentence(unknown),
        ].filter(Boolean),
        actions: [goBack()],
    });
}

function remarks(search, retry) {
    const { done, total } = search.progress;
    const unknown = unknownArtists(search);
    if (search.state === "cancelled") {
        return element("div", { class: "remark" },
            element("p", {}, `The search was stopped: ${done} of ${total} artists were looked up.`),
            element("button", { class: "button small", type: "button", onclick: retry }, "Look up the others"));
    }
    return unknown && element("div", { class: "remark" }, element("p", {}, sentence(unknown)));
}

function unknownArtists({ coverage }) {
    const names = coverage.filter(({ status }) => status === "notFound").map(({ artist }) => artist);
    return names.length > 0 ? names : null;
}

function sentence(names) {
    return `Ticketmaster does not know ${namesList(names)}.`;
}

function goBack() {
    return element("a", { class: "button", href: "/explore/concerts" }, "Go Back");
}
