import { SearchResults } from "../catalog/search-results.js";
import { topLists } from "../catalog/top-lists.js";
import { latestSearch } from "../concerts/latest-search.js";
import { forYou } from "../curation/for-you.js";
import { api } from "../shell/api.js";
import { replaceAddress } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { featureCard } from "../ui/feature-card.js";

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
        element("li", {}, featureCard({
            href: "/explore/concerts", picture: "ticket", title: "Concerts",
            text: "Rank your artists and find their concerts. Those in your home city are marked.",
        })),
        element("li", {}, featureCard({
            href: "/explore/nearby", picture: "home", title: "Concerts nearby",
            text: "All concerts in a city and around it, whoever plays.",
        })),
        element("li", {}, featureCard({
            href: "/explore/playlists", picture: "spark", title: "Make a playlist",
            text: "Say what you are in the mood for, and get real songs, each with a reason.",
        })));
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
    offerMore(cards, signal);
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
        if (address !== location.pathname + location.search) replaceAddress(address, { keepsScrollPosition: true });
        browse.hidden = text !== "";
        results.show(text);
    }
}

/** What not everybody is offered. */
async function offerMore(cards, signal) {
    // The page works without it.
    const [me, latest] = await Promise.all([
        api.get("/v1/me", { signal }).catch(() => null), latestSearch({ signal }).catch(() => null)]);
    if (me?.hasOthers) {
        cards.append(element("li", {}, featureCard({
            href: "/explore/blends", picture: "merge", title: "Blends",
            text: "A playlist that mixes your music with someone else’s, fair to both.",
        })));
    }
    if (!latest) return;
    cards.append(element("li", {}, featureCard({
        href: latest.address, picture: "clock", title: "Latest results",
        text: `Your latest search, from ${latest.time}.`,
    })));
}
