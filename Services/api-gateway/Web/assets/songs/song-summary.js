import { element } from "../ui/dom.js";
import { name } from "../ui/list-row.js";
import { picture } from "../ui/picture.js";

/** The song (`song.js`) that a sheet is about. */
export function songSummary({ title, artist, picture: image }) {
    return element("div", { class: "sheet-song" }, picture(image, title),
        element("div", {}, element("p", { class: "choice-title" }, name(title)),
            artist && element("p", { class: "secondary" }, name(artist))));
}
