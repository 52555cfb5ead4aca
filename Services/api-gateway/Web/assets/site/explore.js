import { SearchResults } from "../catalog/search-results.js";
import { topLists } from "../catalog/top-lists.js";
import { latestSearch } from "../concerts/latest-search.js";
import { forYou } from "../curation/for-you.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** How long the search waits for the next keystroke, in milliseconds. */
const pause = 350;

export function show({ main, signal }) {
    const results = new SearchResults({ signal, screen: "explore" });
    const field = element("input", {
        type: "search", id: "explore-search", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
        maxlength: "200", enterkeyhint: "search", placeholder: "Songs, artists, albums, playlists",
        value: new URLSearchParams(location.search).get("q") ?? "", oninput: () => wait(pause),
    });
    const cards = element("ul", { class: "cards" },
        element("li", {}, card("/explore/concerts", "ticket", "Concerts",
            "Rank your artists and find their concerts. Those in your home city are marked.")),
        element("li", {}, card("/explore/playlists", "spark", "Make a playlist",
            "Say what you are in the mood for, and get real songs, each with a reason.")),
        element("li", {}, card("/explore/blends", "merge", "Blends",
            "A playlist that mixes your music with someone else’s, fair to both.")));
    const browse = element("div", { class: "browse" }, cards, forYou({ signal }), topLists({ signal }));
    let timer = null;
    signal.addEventListener("abort", () => clearTimeout(timer));
    main.replaceChildren(
        element("h1", {}, "Explore"),
        element("form", { role: "search", class: "field explore-search", onsubmit: (event) => {
            event.preventDefault();
            wait(0);
        } }, element("label", { for: "explore-search" }, "Search your library and Spotify"), field),
        results.element, browse);
    offerLatest(cards, signal);
    search();
    return "Explore";

    function wait(time) {
        clearTimeout(timer);
        timer = setTimeout(search, time);
    }

    function search() {
        const text = field.value.trim();
        // The search is restored when the person returns from one of its results.
        const address = text ? `/explore?${new URLSearchParams({ q: text })}` : "/explore";
        if (address !== location.pathname + location.search) history.replaceState(history.state, "", address);
        browse.hidden = text !== "";
        results.show(text);
    }
}

async function offerLatest(cards, signal) {
    // The page works without it.
    const latest = await latestSearch({ signal }).catch(() => null);
    if (!latest) return;
    cards.append(element("li", {},
        card(latest.address, "clock", "Latest results", `Your latest search, from ${latest.time}.`)));
}

function card(href, picture, title, text) {
    return element("a", { class: "card feature", href },
        element("span", { class: "feature-picture" }, icon(picture)),
        element("span", { class: "feature-text" },
            element("span", { class: "feature-title" }, title),
            element("span", {}, text)),
        element("span", { class: "feature-arrow", "aria-hidden": "true" }, "→"));
}
