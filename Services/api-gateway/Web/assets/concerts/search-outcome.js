import { element } from "../ui/dom.js";
import { namesList } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { emptyView } from "../ui/problem-view.js";

/**
 * How a search ended, shown beside its concerts or in their place; `null` if there is nothing to add. `search` is
 * `null` for an id that the gateway does not know.
 */
export function searchOutcome(search, { hasConcerts, retry }) {
    if (!search) {
        return emptyView({
            picture: "ticket", title: "There is no such search",
            text: "It may have been deleted, or belong to someone else. Start a new search from your artists.",
            actions: [goBack()],
        });
    }
    return hasConcerts ? remarks(search, retry) : nothing(search, retry);
}

function nothing(search, retry) {
    const { done, total } = search.progress;
    const again = (text) =>
        element("button", { class: "button primary", type: "button", onclick: retry }, icon("refresh"), text);
    if (search.state === "cancelled") {
        return emptyView({
            picture: "cross", title: "The search was stopped", text: `${done} of ${total} artists were looked up.`,
            actions: [again("Look up the rest"), goBack()],
        });
    }
    if (search.state === "failed") {
        return emptyView({
            picture: "alert", title: "No concerts could be looked up",
            text: "The warnings above give the reasons. Your list of artists is unchanged.",
            actions: [again("Retry"), goBack()],
        });
    }
    const unknown = unknownArtists(search);
    return emptyView({
        picture: "ticket", title: "No concerts found",
        text: [
            search.warnings.length > 0
                ? "The artists that could be looked up have no concerts on sale at Ticketmaster."
                : "Your artists have no concerts on sale at Ticketmaster. Search again in a few days, or add artists.",
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
            element("button", { class: "button small", type: "button", onclick: retry }, "Look up the rest"));
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
    return element("a", { class: "button", href: "/explore/concerts" }, "Go back");
}
