import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";

export function show({ main }) {
    main.replaceChildren(
        element("h1", {}, "Library"),
        emptyView({
            picture: "library",
            title: "Your library is empty",
            text: [
                "Your tracks, albums and playlists from Spotify or Apple Music will appear here. Backline cannot read"
                + " them yet.",
                "Concerts work without a library: rank artists by name.",
            ],
            actions: [element("a", { class: "button primary", href: "/explore/concerts" }, "Discover concerts")],
        }));
    return "Library";
}
