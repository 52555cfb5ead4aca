import { element } from "./dom.js";
import { initials } from "./initials.js";
import { safeURL } from "./safe-url.js";

/** A decorative picture beside a name; initials where there is no picture. */
export function picture(url, name) {
    const place = element("span", { class: `picture tint-${tint(name)}`, "aria-hidden": "true" }, initials(name));
    const source = safeURL(url);
    if (source) {
        const image = element("img", {
            src: source, alt: "", width: "64", height: "64", loading: "lazy", decoding: "async",
            referrerpolicy: "no-referrer", onerror: () => image.remove(),
        });
        place.append(image);
    }
    return place;
}

/** One of the style sheet's five tints, always the same for a name. */
function tint(name) {
    return [...name].reduce((sum, character) => sum + character.codePointAt(0), 0) % 5;
}
