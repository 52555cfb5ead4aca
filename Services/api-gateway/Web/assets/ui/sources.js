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

/** The badge of a service. Narrow rows show only its icon. */
export function sourceBadge(source) {
    return element("span", { class: "mark source", "data-source": source, title: sourceName(source) },
        icon(sources[source]?.picture ?? "library"), element("span", { class: "source-name" }, sourceName(source)));
}

/** The services of a setup checklist that are or were connected. Disconnecting a service clears `connectedAt`. */
export function connectedSources(checklist) {
    return Object.keys(sources).filter((source) => isConnected(stepOfSource(checklist, source)));
}

/**
 * What a person can do about the connection to a service, as `{ text, href }`, or `null` if it works. A service that is
 * already connected is not offered for connection.
 */
export function connectionOffer(checklist, source) {
    const step = stepOfSource(checklist, source);
    const { name, setup } = sources[source];
    if (!isConnected(step)) return { text: `Connect ${name}`, href: setup };
    const isFine = step.state === "complete" && !["reconnect", "askScope"].includes(step.recovery);
    return isFine ? null : { text: `Check the connection to ${name}`, href: setup };
}

/** The step of a setup checklist that connects a service. */
export function stepOfSource({ steps, optional }, source) {
    return [...steps, ...optional].find(({ id }) => id === source);
}

function isConnected(step) {
    return Boolean(step && (step.state !== "incomplete" || step.connectedAt));
}
