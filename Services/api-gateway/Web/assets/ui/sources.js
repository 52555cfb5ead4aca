import { element } from "./dom.js";
import { icon } from "./icons.js";

/** The services that a library is read from, in the order in which a sync reads them. */
export const sources = {
    appleMusic: { name: "Apple Music", setup: "/setup/apple-music", picture: "music" },
    spotify: { name: "Spotify", setup: "/setup/spotify", picture: "waves" },
};

/** A source's name: a service's, or that of imported files. A later gateway may have others. */
export function sourceName(source) {
    return source === "file" ? "Files" : sources[source]?.name ?? source;
}

/** The badge of a service. Narrow rows show its icon alone. */
export function sourceBadge(source) {
    return element("span", { class: "mark source", "data-source": source, title: sourceName(source) },
        icon(sources[source]?.picture ?? "library"), element("span", { class: "source-name" }, sourceName(source)));
}

/** The services of a setup's checklist that are or were connected. Disconnecting forgets when a service was. */
export function connectedSources({ steps, optional }) {
    const known = new Map([...steps, ...optional].map((step) => [step.id, step]));
    return Object.keys(sources).filter((source) => {
        const step = known.get(source);
        return step && (step.state !== "incomplete" || step.connectedAt);
    });
}
