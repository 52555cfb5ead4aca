import { element } from "./dom.js";

/** A name with its value, as an entry of a `<dl>`. */
export function fact(name, ...value) {
    return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}
