import { element } from "./dom.js";
import { initials } from "./initials.js";
import { safeURL } from "./safe-url.js";

/** A picture beside a name that says who it is: decoration, and initials while there is none. */
export function picture(url, name) {
    const place = element("span", { class: `picture tint-${tint(name)}`, "aria-hidden": "true" }, initials(name));
    const source = safeURL(url, ["https:"]);
    if (source) {
        const image = element("img", {
            src: source, alt: "", width: "64", height: "64", loading: "lazy", decoding: "async",
            referrerpolicy: "no-referrer", onerror: () => image.remove(),
        });
        place.append(image);
    }
    return place;
}

/** One of the style sheet's five tints: always the same for a name, so that it is recognised. */
function tint(name) {
    return [...name].reduce((sum, character) => sum + character.codePointAt(0), 0) % 5;
}
