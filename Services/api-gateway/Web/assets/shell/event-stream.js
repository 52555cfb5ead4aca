import { api } from "./api.js";
import { eventNames } from "../pages.js";

/**
 * How long to wait before opening a refused stream again, in milliseconds. The pause doubles with each refusal in a
 * row: the person may have as many streams open as the quota allows.
 */
const shortestPause = 3_000;
const longestPause = 60_000;
/** The events of the gateway's domains, and `reset` of the stream itself. */
const kinds = [...eventNames, "reset"];

/**
 * The gateway's event stream. It dispatches `open` when it is connected, and misses no event from then on; `broken`
 * when the connection ends; and the gateway's events, each with its data as `detail`.
 *
 * It is closed while the page is hidden. Browsers open at most six HTTP/1.1 connections to a host for all windows
 * together, so that six hidden windows with open streams would keep a seventh from loading.
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
            // The browser reconnects by itself after a lost connection, and not after a refusal.
            if (source.readyState !== EventSource.CLOSED) return;
            this.#timer = setTimeout(() => this.#reopen(source), this.#pause);
            this.#pause = Math.min(this.#pause * 2, longestPause);
        };
        for (const kind of kinds) {
            source.addEventListener(kind, ({ data }) =>
                this.dispatchEvent(new CustomEvent(kind, { detail: JSON.parse(data) })));
        }
    }

    /** An `EventSource` hides why it was refused. If the session has ended, reading it leads to the sign-in page. */
    async #reopen(source) {
        const problem = await api.get("/v1/session", { signal: this.#signal }).catch((error) => error);
        // Not if the stream was closed or opened again in the meantime.
        if (this.#source !== source || problem?.status === 401) return;
        this.#connect();
    }
}
