import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";

/** The maximum number of albums to search through. */
const most = 20;

/** The name of a song's album, which becomes a link once the saved album is found. */
export function albumLink({ album, artist, albumArtist }, signal) {
    const name = element("bdi", {}, album);
    const container = element("span", {}, name);
    find().then((found) => {
        if (found) container.replaceChildren(element("a", { href: `/library/albums/${found.id}` }, name));
    }, () => {
        // The name is enough without a link.
    });
    return container;

    async function find() {
        const parts = new URLSearchParams({ q: album.slice(0, 200), limit: most });
        const { items } = await api.get(`/v1/library/albums?${parts}`, { signal });
        const sameName = items.filter((one) => isSame(one.name, album));
        return sameName.find((one) => isSame(one.artist, albumArtist ?? artist))
            ?? sameName.find((one) => artist.includes(one.artist)) ?? null;
    }
}

function isSame(one, other) {
    return one.localeCompare(other ?? "", undefined, { sensitivity: "base" }) === 0;
}
