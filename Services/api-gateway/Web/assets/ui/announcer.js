import { element } from "./dom.js";

/** How long a sentence stays in the page, in milliseconds. By then, screen readers have it in their own queue. */
const stay = 7_000;
/** A log, of which screen readers read what is added: a sentence that comes at the same time replaces none. */
const region = document.getElementById("announcer");

/** Makes a screen reader say a sentence after those before it. */
export function announce(sentence) {
    const line = element("p", {}, sentence);
    region.append(line);
    setTimeout(() => line.remove(), stay);
}
