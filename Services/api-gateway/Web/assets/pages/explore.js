import { element } from "../dom.js";
import { icon } from "../icons.js";
import { preference } from "../preferences.js";

export function show({ main }) {
    const latest = preference("latest-search");
    main.replaceChildren(
        element("h1", {}, "Explore"),
        element("p", { class: "lead" }, "Find music beyond what you already play."),
        element("ul", { class: "cards" },
            element("li", {}, card("/explore/concerts", "ticket", "Concerts",
                "Rank your artists and find their shows, those in your home city marked.")),
            latest && element("li", {}, card(`/explore/concerts/${encodeURIComponent(latest)}`, "clock",
                "Latest results", "The concerts that were found when you searched last."))),
        element("section", { class: "quiet", "aria-labelledby": "explore-later" },
            element("h2", { id: "explore-later" }, "What will be here"),
            element("p", {}, "Recommendations and playlists made for you. That part of Backline is not built yet.")));
    return "Explore";
}

function card(href, picture, title, words) {
    return element("a", { class: "card feature", href },
        element("span", { class: "feature-picture" }, icon(picture)),
        element("span", { class: "feature-words" },
            element("span", { class: "feature-title" }, title),
            element("span", {}, words)),
        element("span", { class: "feature-arrow", "aria-hidden": "true" }, "→"));
}
