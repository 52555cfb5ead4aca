import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";

/** How often a search is asked for while the event stream is broken and somebody looks, in milliseconds. */
const interval = 2_000;

/**
 * Tells `changed(search)` how a search goes on until `signal` is aborted: by the event stream, and by asking while
 * that is broken.
 */
export function watchSearch(id, { signal, changed, failed }) {
    const stream = new EventStream({ signal });
    const look = async () => {
        try {
            const search = await api.get(`/v1/concert-searches/${encodeURIComponent(id)}?limit=1`, { signal });
            if (!signal.aborted) changed(search);
        } catch (problem) {
            // What passes is asked for again; of a lost connection the banner tells.
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
