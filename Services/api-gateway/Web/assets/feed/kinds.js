/** The kinds of items in the feed, and what people call several of them. */
const kinds = {
    share: ["shared song", "shared songs"], concert: ["concert", "concerts"],
    comingShows: ["announcement of upcoming concerts", "announcements of upcoming concerts"],
    release: ["new release", "new releases"], follow: ["new follower", "new followers"],
    recommendation: ["recommendation", "recommendations"], sentSong: ["song sent to you", "songs sent to you"],
};

/** "New releases", as the name of a kind; the singular for one. */
export function kindName(kind, count = 2) {
    const text = kindNoun(kind, count);
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "new releases", within a sentence; the singular for one. */
export function kindNoun(kind, count = 2) {
    return kinds[kind]?.[count === 1 ? 0 : 1] ?? kind;
}
