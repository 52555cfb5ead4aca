import { sourceName } from "../ui/sources.js";

const spotify = "https://open.spotify.com";
const appleMusic = "https://music.apple.com";
/** The characters of a service's ids. Any other text, such as a file's address, has no page. */
const plainID = /^[A-Za-z0-9.-]+$/;

/** The menu item that opens a playlist or an album at its service, or explains why that is not possible. */
export function openAt(type, { source, sourceId }) {
    const label = `Open in ${sourceName(source)}`;
    if (source === "spotify" && plainID.test(sourceId)) {
        return { label, picture: "music", href: `${spotify}/${type}/${sourceId}`, external: true };
    }
    return { label, picture: "music", reason: `No link to it on ${sourceName(source)} is known.` };
}

/** The address of a song's page at a service, or `null` if it has none. */
export function songAddress({ source, sourceId, catalogId, storefront }) {
    if (source === "spotify") return plainID.test(sourceId) ? `${spotify}/track/${sourceId}` : null;
    // Apple Music has pages only for songs of a country's catalog, not for songs that are only in a library.
    return source === "appleMusic" && catalogId && storefront && plainID.test(catalogId) && plainID.test(storefront)
        ? `${appleMusic}/${storefront}/song/${catalogId}` : null;
}

/** The address of a service's search for a song. */
export function searchAt(source, { title, artist }) {
    const words = encodeURIComponent(artist ? `${title} ${artist}` : title);
    return source === "spotify" ? `${spotify}/search/${words}` : `${appleMusic}/search?term=${words}`;
}
