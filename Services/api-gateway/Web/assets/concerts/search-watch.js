import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";

/** How often a visible page reads the search while the event stream is broken, in milliseconds. */
const interval = 2_000;

/**
 * Calls `changed(search)` whenever a search changes, until `signal` is aborted. It listens to the event stream, and
 * reads the search while the stream is broken. `failed(problem)` gets errors that do not resolve themselves.
 */
export function watchSearch(id, { signal, changed, failed }) {
    const stream = new EventStream({ signal });
    const look = async () => {
        try {
            const search = await api.get(`/v1/concert-searches/${encodeURIComponent(id)}?limit=1`, { signal });
            if (!signal.aborted) changed(search);
        } catch (problem) {
            // A temporary problem resolves itself; the banner shows a lost connection.
            if (!signal.aborted && !problem.isPassing && problem.status !== 401) failed(problem);
        }
    };
    const timer = setInterval(() => stream.isOpen || document.hidden || look(), interval);
    signal.addEventListener("abort", () => clearInterval(timer));
    stream.addEventListener("open", look);
    stream.addEventListener("reset", look);
    stream.addEventListener("concertSearch", ({ detail }) => {
        if (detail.id === id && !signal.aborted) changed(detail);
    });
}
