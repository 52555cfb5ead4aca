import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { problemView } from "../ui/problem-view.js";

const words = {
    spotifyNotConnected: {
        title: "Connect Spotify",
        text: "Songs, artists and playlists beyond your library come from Spotify, and so does what you listen to most.",
        button: "Connect Spotify",
    },
    appleMusicNotConnected: {
        title: "Connect Apple Music",
        text: "Songs, albums, artists and playlists of Apple Music are those of the country of your account.",
        button: "Connect Apple Music", href: "/setup/apple-music",
    },
    scopeMissing: {
        title: "Spotify needs your permission",
        text: "Spotify was connected before Backline could show what you listen to most. Connect it again to allow that.",
        button: "Connect again",
    },
};

/** Whether connecting a service ends a problem. */
export function isEndedByConnecting(problem) {
    return Object.hasOwn(words, problem.code);
}

/** In place of what a service could not answer: a card that leads to connecting it, or the error with Retry. */
export function troubleView(problem, retry, { level = 2, title } = {}) {
    if (!isEndedByConnecting(problem)) return problemView(problem, retry, { level, title });
    const { title: heading, text, button, href = "/setup/spotify" } = words[problem.code];
    return element("section", { class: "card connect-card" },
        element("span", { class: "feature-picture" }, icon("music")),
        element("div", { class: "connect-words" },
            element(`h${level}`, {}, heading),
            element("p", { class: "secondary" }, text)),
        element("a", { class: "button primary", href }, button));
}
