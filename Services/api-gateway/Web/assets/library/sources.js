/** The services that a library is read from, in the order in which a sync reads them. */
export const sources = {
    appleMusic: { name: "Apple Music", setup: "/setup/apple-music" },
    spotify: { name: "Spotify", setup: "/setup/spotify" },
};

/** A service's name. A later gateway may have services that this page does not know. */
export function sourceName(source) {
    return sources[source]?.name ?? source;
}
