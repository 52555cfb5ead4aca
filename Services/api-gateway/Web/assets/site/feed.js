import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { setupCard } from "../setup/setup-card.js";

export function show({ main, signal }) {
    main.replaceChildren(
        element("h1", {}, "Feed"),
        setupCard({ signal }),
        element("p", { class: "lead" },
            "Your feed is empty. Start with concerts by your artists."),
        element("a", { class: "card feature", href: "/explore/concerts" },
            element("span", { class: "feature-picture" }, icon("ticket")),
            element("span", { class: "feature-text" },
                element("span", { class: "feature-title" }, "Discover concerts"),
                element("span", {}, "Rank up to twenty artists and see where they play, your favorites first.")),
            element("span", { class: "feature-arrow", "aria-hidden": "true" }, "→")),
        element("section", { class: "quiet", "aria-labelledby": "feed-later" },
            element("h2", { id: "feed-later" }, "Coming later"),
            element("p", {},
                "Songs that friends share with you will appear here. Backline cannot do this yet.")));
    return "Feed";
}
