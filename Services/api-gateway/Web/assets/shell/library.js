import { element } from "../components/dom.js";
import { emptyView } from "../components/problem-view.js";

export function show({ main }) {
    main.replaceChildren(
        element("h1", {}, "Library"),
        emptyView({
            picture: "library",
            title: "Your library is not here yet",
            words: [
                "Your tracks, albums and playlists will be here once Backline can read them from Spotify or Apple"
                + " Music. That part is not built yet.",
                "Concerts work without it: rank artists by name.",
            ],
            actions: [element("a", { class: "button primary", href: "/explore/concerts" }, "Discover concerts")],
        }));
    return "Library";
}
