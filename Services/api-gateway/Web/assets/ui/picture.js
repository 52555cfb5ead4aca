import { element } from "./dom.js";
import { initials } from "./initials.js";
import { safeURL } from "./safe-url.js";

/** The sizes that `/v1/pictures/…` has, in pixels. A picture that a person uploaded has one size. */
const sizes = [64, 300, 600];
const uploaded = "/v1/pictures/people/";

/**
 * A decorative picture beside a name; initials where there is no picture.
 *
 * `source` is the `picture` of a resource (`/v1/pictures/…`), another address of this site, or null; `size` the width on
 * the page in CSS pixels.
 */
export function picture(source, name, { size = 64 } = {}) {
    const container = element("span", { class: `picture tint-${tint(name)}`, "aria-hidden": "true" }, initials(name));
    if (size > sizes[0]) container.classList.add("large");
    const addresses = addressesFor(source, size);
    if (addresses) {
        const image = element("img", {
            ...addresses, alt: "", width: `${size}`, height: `${size}`, loading: "lazy", decoding: "async",
            referrerpolicy: "no-referrer", onerror: () => image.remove(),
        });
        container.append(image);
    }
    return container;
}

/** Drops pictures that are still loading when their element leaves the page, so that they are not fetched. */
export function dropPictures(leaving) {
    for (const image of leaving.querySelectorAll(".picture img")) {
        if (image.complete) continue;
        image.removeAttribute("srcset");
        image.removeAttribute("src");
    }
}

/** The smallest size that fills the place, and one for dense screens. */
function addressesFor(source, size) {
    if (source?.startsWith(uploaded)) return { src: source };
    if (!source?.startsWith("/v1/pictures/")) {
        const address = safeURL(source);
        return address && { src: address };
    }
    const fitting = (width) => sizes.find((known) => known >= width) ?? sizes.at(-1);
    const [plain, dense] = [fitting(size), fitting(2 * size)];
    const addressOf = (width) => `${source}?size=${width}`;
    return { src: addressOf(plain), ...(dense !== plain && { srcset: `${addressOf(dense)} 2x` }) };
}

/** One of the style sheet's five tints, always the same for a name. */
function tint(name) {
    return [...name].reduce((sum, character) => sum + character.codePointAt(0), 0) % 5;
}
