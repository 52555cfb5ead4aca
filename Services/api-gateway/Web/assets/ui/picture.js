import { element } from "./dom.js";
import { initials } from "./initials.js";
import { safeURL } from "./safe-url.js";

/** The widths of the site's own pictures, in pixels. */
const widths = [64, 300, 600];

/**
 * A decorative picture beside a name; initials where there is no picture, or it cannot be loaded. `source` is a path of
 * the site's pictures, of which the browser takes the width that fits, or an address. `size` is the width at which it
 * is shown, in CSS pixels.
 */
export function picture(source, name, { size = 48 } = {}) {
    const place = element("span", { class: `picture tint-${tint(name)}`, "aria-hidden": "true" }, initials(name));
    if (size > 64) place.classList.add("large");
    const files = source?.startsWith("/") ? ownFiles(source, size) : foreignFile(source, size);
    if (files) {
        const image = element("img", {
            ...files, alt: "", width: size, height: size, loading: "lazy", decoding: "async",
            referrerpolicy: "no-referrer", onerror: () => image.remove(),
        });
        place.append(image);
    }
    return place;
}

function ownFiles(path, size) {
    return {
        src: `${path}?size=${widths.find((width) => width >= size) ?? widths.at(-1)}`,
        srcset: widths.map((width) => `${path}?size=${width} ${width}w`).join(", "), sizes: `${size}px`,
    };
}

/** Apple Music's addresses have places for the width and the height. */
function foreignFile(address, size) {
    const src = safeURL(address?.replace("{w}", 2 * size).replace("{h}", 2 * size));
    return src && { src };
}

/** One of the style sheet's five tints, always the same for a name. */
function tint(name) {
    return [...name].reduce((sum, character) => sum + character.codePointAt(0), 0) % 5;
}
