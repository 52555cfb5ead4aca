import { api } from "./api.js";
import { eventNames } from "../pages.js";

/** How long to wait before a stream that the browser has given up is begun anew, in milliseconds: twice as long each
 * time that it is refused again, as when the person has as many open as one may have. */
const shortestPause = 3_000;
const longestPause = 60_000;
/** Those of the domains of the gateway, and its own that pages listen for. */
const kinds = [...eventNames, "reset"];

/**
 * The gateway's event stream. It dispatches `open` whenever it is connected, from when on nothing is missed; `broken`
 * when it is not; and the gateway's events, each with its data as `detail`.
 *
 * It is closed while nobody sees the page: browsers open six connections to a host at most, for all windows together
 * (HTTP/1.1), and more windows than that could not even be loaded.
 */
export class EventStream extends EventTarget {
    isOpen = false;
    #signal;
    #source = null;
    #timer = null;
    #pause = shortestPause;

    constructor({ signal }) {
        super();
        this.#signal = signal;
        document.addEventListener("visibilitychange", () => this.#follow(), { signal });
        signal.addEventListener("abort", () => this.#close());
        this.#follow();
    }

    #follow() {
        if (document.hidden) {
            this.#close();
            this.#break();
        } else if (!this.#source) {
            this.#connect();
        }
    }

    #close() {
        clearTimeout(this.#timer);
        this.#source?.close();
        this.#source = null;
    }

    #break() {
        this.isOpen = false;
        this.dispatchEvent(new Event("broken"));
    }

    #connect() {
        const source = new EventSource("/v1/events");
        this.#source = source;
        source.onopen = () => {
            this.isOpen = true;
            this.#pause = shortestPause;
            this.dispatchEvent(new Event("open"));
        };
        source.onerror = () => {
            this.#break();
            // After a lost connection the browser comes back by itself; after a refusal it does not.
            if (source.readyState !== EventSource.CLOSED) return;
            this.#timer = setTimeout(() => this.#beginAnew(source), this.#pause);
            this.#pause = Math.min(this.#pause * 2, longestPause);
        };
        for (const kind of kinds) {
            source.addEventListener(kind, ({ data }) =>
                this.dispatchEvent(new CustomEvent(kind, { detail: JSON.parse(data) })));
        }
    }

    /** Why a stream was refused is not said. When the session has ended, asking for it leads to signing in again. */
    async #beginAnew(source) {
        const problem = await api.get("/v1/session", { signal: this.#signal }).catch((error) => error);
        // Closed, or begun anew, meanwhile?
        if (this.#source !== source || problem?.status === 401) return;
        this.#connect();
    }
}
