import { sourceName } from "../ui/sources.js";

const spotify = "https://open.spotify.com";
const appleMusic = "https://music.apple.com";
/** A service's ids have these characters alone. Another text, such as a file's address, has no page. */
const plainID = /^[A-Za-z0-9.-]+$/;

/** The item of a menu that opens a playlist or an album at its service, or says why that is not possible. */
export function openAt(type, { source, sourceId }) {
    const label = `Open in ${sourceName(source)}`;
    if (source === "spotify" && plainID.test(sourceId)) {
        return { label, picture: "music", href: `${spotify}/${type}/${sourceId}`, external: true };
    }
    return { label, picture: "music", reason: `${sourceName(source)} tells no address of it.` };
}

/** The address of what a service has of a song; `null` without one. */
export function songAddress({ source, sourceId, catalogId, storefront }) {
    if (source === "spotify") return plainID.test(sourceId) ? `${spotify}/track/${sourceId}` : null;
    // What is only in a library at Apple Music has no page. Only pages of the catalog of a country exist.
    return source === "appleMusic" && catalogId && storefront && plainID.test(catalogId) && plainID.test(storefront)
        ? `${appleMusic}/${storefront}/song/${catalogId}` : null;
}
