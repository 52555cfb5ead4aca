import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { latestSearch } from "../concerts/latest-search.js";

export function show({ main, signal }) {
    const cards = element("ul", { class: "cards" },
        element("li", {}, card("/explore/concerts", "ticket", "Concerts",
            "Rank your artists and find their concerts, with those in your home city marked.")));
    main.replaceChildren(
        element("h1", {}, "Explore"),
        element("p", { class: "lead" }, "Find music beyond what you play already."),
        cards,
        element("section", { class: "quiet", "aria-labelledby": "explore-later" },
            element("h2", { id: "explore-later" }, "Coming later"),
            element("p", {}, "Recommendations and playlists made for you. Backline cannot do this yet.")));
    offerLatest(cards, signal);
    return "Explore";
}

async function offerLatest(cards, signal) {
    // The page works without it.
    const latest = await latestSearch({ signal }).catch(() => null);
    if (!latest) return;
    cards.append(element("li", {},
        card(latest.address, "clock", "Latest results", `Your latest search, of ${latest.time}.`)));
}

function card(href, picture, title, text) {
    return element("a", { class: "card feature", href },
        element("span", { class: "feature-picture" }, icon(picture)),
        element("span", { class: "feature-text" },
            element("span", { class: "feature-title" }, title),
            element("span", {}, text)),
        element("span", { class: "feature-arrow", "aria-hidden": "true" }, "→"));
}
