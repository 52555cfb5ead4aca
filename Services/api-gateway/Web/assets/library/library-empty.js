import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";

/** What stands in place of a library without any connected service. */
export function nothingConnected() {
    return emptyView({
        picture: "library",
        title: "Your library is empty",
        text: [
            "Connect Spotify or Apple Music, and your tracks, albums and playlists appear here.",
            "Or import a file, which needs no key and no account: Apple’s Music app exports your whole library.",
            "Concerts work without a library: rank artists by name.",
        ],
        actions: [
            element("a", { class: "button primary", href: "/setup" }, "Connect a service"),
            element("a", { class: "button", href: "/library/import" }, "Import a file"),
            element("a", { class: "button", href: "/explore/concerts" }, "Discover concerts"),
        ],
    });
}

/** What an album's page shows without songs. */
export function emptyAlbum() {
    return emptyView({
        picture: "album", title: "No songs of this album",
        text: "The album is saved, but your library has none of its songs.",
    });
}

/** What a playlist's page shows without entries. */
export function emptyPlaylist({ entriesState }) {
    const text = {
        none: "Its entries were not read yet. They appear after the next sync.",
        forbidden: "Its service shows its entries to its owner alone.",
    }[entriesState] ?? "It has no entries.";
    return emptyView({ picture: "playlist", title: "No entries", text });
}

/** What stands in place of a list without items. `showAll()` ends the filter and the search. */
export function emptyList(query, { isSyncing, showAll }) {
    const nouns = query.lists.label.toLowerCase();
    if (query.isNarrowed) {
        return emptyView({
            picture: "explore", title: `No ${nouns} found`,
            text: query.text ? "Try another word, or fewer." : "This source has none.",
            actions: [element("button", { class: "button", type: "button", onclick: showAll }, `Show all ${nouns}`)],
        });
    }
    if (isSyncing) {
        return emptyView({
            picture: "refresh", title: "Your library is being read",
            text: `The first ${nouns} appear here in a moment.`,
        });
    }
    return emptyView({
        picture: "library", title: `No ${nouns} yet`,
        text: `Save ${nouns} in a connected service, and they appear here after the next sync.`,
    });
}
