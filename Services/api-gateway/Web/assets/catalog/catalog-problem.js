import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { problemView } from "../ui/problem-view.js";

const words = {
    spotifyNotConnected: {
        title: "Connect Spotify",
        text: "Spotify provides music beyond your library, and knows what you listen to most.",
        button: "Connect Spotify",
    },
    appleMusicNotConnected: {
        title: "Connect Apple Music",
        text: "Apple Music’s catalog depends on your account’s country, so connect your account first.",
        button: "Connect Apple Music", href: "/setup/apple-music",
    },
    scopeMissing: {
        title: "Spotify needs your permission",
        text: "You connected Spotify before Backline could show what you listen to most. Connect again to allow it.",
        button: "Connect again",
    },
};

/** Whether connecting a service solves a problem. */
export function isEndedByConnecting(problem) {
    return Object.hasOwn(words, problem.code);
}

/** Shown if a service could not answer: a card with a link to connect it, or the error with a Retry button. */
export function catalogProblemView(problem, retry, { level = 2, title } = {}) {
    if (!isEndedByConnecting(problem)) return problemView(problem, retry, { level, title });
    const { title: heading, text, button, href = "/setup/spotify" } = words[problem.code];
    return element("section", { class: "card connect-card" },
        element("span", { class: "feature-picture" }, icon("music")),
        element("div", { class: "connect-words" },
            element(`h${level}`, {}, heading),
            element("p", { class: "secondary" }, text)),
        element("a", { class: "button primary", href }, button));
}
