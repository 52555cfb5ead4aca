import { element } from "../ui/dom.js";
import { grouped } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";

/** The parts that are looked for in the background, by the API's names. */
const parts = {
    nearby: "concerts near you", artists: "concerts by your artists", releases: "new releases",
};
/** The pages on which a person mends what is missing, by its code, and otherwise by its source. */
const remedies = {
    releaseServiceMissing: [["/setup/spotify", "Connect Spotify"], ["/setup/apple-music", "Connect Apple Music"]],
    concerts: [["/setup/ticketmaster", "Set up Ticketmaster"]],
};

/** What is being looked for in the background. Empty when nothing is. */
export function refreshProgress(refresh) {
    const running = (refresh ?? []).filter(({ state }) => state === "waiting" || state === "running");
    return running.map(({ part, state, done, total }) => {
        const what = parts[part] ?? part;
        const text = state === "waiting" ? `Waiting to look for ${what} …`
            : total ? `Looking for ${what}: ${grouped(done ?? 0)} of ${grouped(total)}` : `Looking for ${what} …`;
        return element("div", { class: "feed-refresh" },
            element("p", {}, text),
            state === "running" && element("progress", {
                "aria-label": `Progress of looking for ${what}`, ...(total && { max: total, value: Math.min(done ?? 0, total) }),
            }));
    });
}

/** Whether something is being looked for. */
export function isRefreshing(refresh) {
    return (refresh ?? []).some(({ state }) => state === "waiting" || state === "running");
}

/** What is missing in the feed, why, and what to do about it. `retry()` reads the feed again. */
export function missingSources(missing, retry) {
    if (!missing?.length) return null;
    // Where something has to be connected first, the same answer would come again.
    const mayHelp = missing.some(({ recovery }) => recovery !== "reconnect");
    return element("section", { class: "warnings", "aria-label": "What is missing" },
        missing.map((problem) => element("div", { class: "warning" }, icon("alert"),
            element("div", {}, element("h2", {}, problem.title), element("p", {}, messageFor(problem)),
                remedyLinks(problem)))),
        mayHelp && element("button", { class: "button", type: "button", onclick: retry }, icon("refresh"), "Retry"));
}

function remedyLinks({ code, source, recovery }) {
    const pages = recovery === "reconnect" && (remedies[code] ?? remedies[source]);
    return pages && element("div", { class: "detail-buttons" },
        pages.map(([href, text]) => element("a", { class: "button", href }, text)));
}
