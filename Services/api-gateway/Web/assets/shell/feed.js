import { element } from "../components/dom.js";
import { icon } from "../components/icons.js";
import { setupCard } from "../setup/setup-card.js";

export function show({ main, signal }) {
    main.replaceChildren(
        element("h1", {}, "Feed"),
        setupCard({ signal }),
        element("p", { class: "lead" },
            "Nothing has happened here yet. Concerts of your artists are a good start."),
        element("a", { class: "card feature", href: "/explore/concerts" },
            element("span", { class: "feature-picture" }, icon("ticket")),
            element("span", { class: "feature-words" },
                element("span", { class: "feature-title" }, "Discover concerts"),
                element("span", {}, "Rank up to twenty artists, and see where they play, your favourites first.")),
            element("span", { class: "feature-arrow", "aria-hidden": "true" }, "→")),
        element("section", { class: "quiet", "aria-labelledby": "feed-later" },
            element("h2", { id: "feed-later" }, "What will be here"),
            element("p", {},
                "Songs that friends share with you will appear in the feed. That part of Backline is not built yet.")));
    return "Feed";
}
