import { element } from "./dom.js";
import { localTimes } from "./formats.js";
import { icon } from "./icons.js";

/** The text for people of an error, or of a problem that is a part of an answer. */
export function messageFor(error) {
    if (error.name === "Problem") return localTimes(error.message);
    if (error.code && error.detail) return localTimes(error.detail);
    return "Something went wrong. Reload this page. If that does not help, please report it.";
}

/** Shown in place of what could not be loaded: the error and a Retry button. `level` is the heading's. */
export function problemView(error, retry, { title = "This could not be loaded", level = 1 } = {}) {
    return element("section", { class: "notice-view", role: "alert" },
        icon("alert"),
        element(`h${level}`, {}, title),
        element("p", {}, messageFor(error)),
        element("button", { class: "button primary", type: "button", onclick: retry }, icon("refresh"), "Retry"));
}

/** A notice in place of an empty list. `text` is one sentence or several; `level` is the heading's. */
export function emptyView({ picture, title, text, actions = [], level = 2 }) {
    return element("div", { class: "notice-view" },
        icon(picture),
        element(`h${level}`, {}, title),
        [text].flat().map((sentence) => element("p", {}, sentence)),
        actions.length > 0 && element("div", { class: "actions" }, actions));
}
