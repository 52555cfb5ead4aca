import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";

/** Shown in place of the library while no service is connected. */
export function nothingConnected() {
    return emptyView({
        picture: "library",
        title: "Your library is empty",
        text: [
            "Connect Spotify or Apple Music to see your songs, albums and playlists here.",
            "Or import a file, without any key or account: Apple’s Music app can export your whole library.",
            "You can find concerts without a library: just rank artists by name.",
        ],
        actions: [
            element("a", { class: "button primary", href: "/setup" }, "Connect a service"),
            element("a", { class: "button", href: "/library/import" }, "Import a file"),
            element("a", { class: "button", href: "/explore/concerts" }, "Discover concerts"),
        ],
    });
}

/** Shown on an album's page that has no songs. */
export function emptyAlbum() {
    return emptyView({
        picture: "album", title: "No songs from this album",
        text: "You saved the album, but none of its songs are in your library.",
    });
}

/** Shown on a playlist's page that has no entries. */
export function emptyPlaylist({ entriesState }) {
    const text = {
        none: "Backline has not read its songs yet. They appear after the next sync.",
        forbidden: "Only the playlist’s owner can see its songs.",
    }[entriesState] ?? "This playlist is empty.";
    return emptyView({ picture: "playlist", title: "No songs", text });
}

/** Shown in place of a list that has no items. `showAll()` clears the filter and the search. */
export function emptyList(query, { isSyncing, showAll }) {
    const nouns = query.definition.label.toLowerCase();
    if (query.isNarrowed) {
        return emptyView({
            picture: "explore", title: `No ${nouns} found`,
            text: query.text ? "Try other words, or fewer." : "This source has none.",
            actions: [element("button", { class: "button", type: "button", onclick: showAll }, `Show all ${nouns}`)],
        });
    }
    if (isSyncing) {
        return emptyView({
            picture: "refresh", title: "Syncing your library",
            text: `The first ${nouns} appear here in a moment.`,
        });
    }
    return emptyView({
        picture: "library", title: `No ${nouns} yet`,
        text: `Save ${nouns} in a connected service, and they appear here after the next sync.`,
    });
}
