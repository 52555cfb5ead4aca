import { element } from "./dom.js";
import { icon } from "./icons.js";

/** What people read about an error of any sort. */
export function wordsFor(error) {
    if (error.name === "Problem") return error.message;
    return "Something in this page went wrong. Reload it; if it happens again, please report it.";
}

/** In place of what could not be shown, with a way to try it again. */
export function problemView(error, retry, { title = "This could not be loaded", level = 1 } = {}) {
    return element("section", { class: "notice-view", role: "alert" },
        icon("alert"),
        element(`h${level}`, {}, title),
        element("p", {}, wordsFor(error)),
        element("button", { class: "button primary", type: "button", onclick: retry }, icon("refresh"), "Retry"));
}

/** In place of a list with nothing in it. `level` is its heading's. */
export function emptyView({ picture, title, words, actions = [], level = 2 }) {
    return element("div", { class: "notice-view" },
        icon(picture),
        element(`h${level}`, {}, title),
        [words].flat().map((sentence) => element("p", {}, sentence)),
        actions.length > 0 && element("div", { class: "actions" }, actions));
}
