import { element } from "./dom.js";

/** How long a sentence stays in the page, in milliseconds. By then, screen readers have it in their own queue. */
const stay = 7_000;
/** A log: screen readers read each addition, so sentences at the same time do not replace each other. */
const region = document.getElementById("announcer");

/** Makes a screen reader say a sentence after those before it. */
export function announce(sentence) {
    const line = element("p", {}, sentence);
    region.append(line);
    setTimeout(() => line.remove(), stay);
}
