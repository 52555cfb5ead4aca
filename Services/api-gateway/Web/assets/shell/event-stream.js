import { api } from "./api.js";
import { eventNames } from "../pages.js";

/**
 * How long to wait before opening a refused stream again, in milliseconds. The pause doubles with each refusal in a
 * row: the person may have as many streams open as the quota allows.
 */
const shortestPause = 3_000;
const longestPause = 60_000;
/** The events of the gateway's domains, and those of the stream itself. */
const kinds = [...eventNames, "gone", "reset"];

/**
 * The gateway's event stream. It dispatches `open` when it is connected, and misses no event from then on; `broken`
 * when the connection ends; and the gateway's events, each with its data as `detail` and the number of its change as
 * `seq`, which lists have, too. The streams of a document share one connection.
 *
 * It is closed while the page is hidden. Browsers open at most six HTTP/1.1 connections to a host for all windows
 * together, so that six hidden windows with open streams would keep a seventh from loading.
 */
export class EventStream extends EventTarget {
    constructor({ signal }) {
        super();
        signal.addEventListener("abort", () => shared.remove(this));
        if (!signal.aborted) shared.add(this);
    }

    get isOpen() {
        return shared.isOpen;
    }
}

/** The connection of this document, which is open while there are streams and the page is visible. */
class SharedConnection {
    isOpen = false;
    #streams = new Set();
    #source = null;
    #timer = null;
    #pause = shortestPause;

    constructor() {
        document.addEventListener("visibilitychange", () => this.#follow());
    }

    add(stream) {
        this.#streams.add(stream);
        this.#follow();
        if (!this.isOpen) return;
        // Its listeners are added after it was made.
        queueMicrotask(() => this.isOpen && this.#streams.has(stream) && stream.dispatchEvent(new Event("open")));
    }

    remove(stream) {
        this.#streams.delete(stream);
        if (this.#streams.size > 0) return;
        this.#close();
        this.isOpen = false;
    }

    #follow() {
        if (document.hidden) {
            this.#close();
            this.#break();
        } else if (!this.#source && this.#streams.size > 0) {
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
        this.#dispatch(() => new Event("broken"));
    }

    /** Dispatches an event to each stream: an event object can be dispatched only once at a time. */
    #dispatch(make) {
        for (const stream of [...this.#streams]) stream.dispatchEvent(make());
    }

    #connect() {
        const source = new EventSource("/v1/events");
        this.#source = source;
        source.onopen = () => {
            this.isOpen = true;
            this.#pause = shortestPause;
            this.#dispatch(() => new Event("open"));
        };
        source.onerror = () => {
            this.#break();
            // The browser reconnects by itself after a lost connection, and not after a refusal.
            if (source.readyState !== EventSource.CLOSED) return;
            this.#timer = setTimeout(() => this.#reopen(source), this.#pause);
            this.#pause = Math.min(this.#pause * 2, longestPause);
        };
        for (const kind of kinds) {
            source.addEventListener(kind, ({ data, lastEventId }) => {
                const [detail, seq] = [JSON.parse(data), changeNumber(lastEventId)];
                this.#dispatch(() => Object.assign(new CustomEvent(kind, { detail }), { seq }));
            });
        }
    }

    /** An `EventSource` hides why it was refused. If the session has ended, reading it leads to the sign-in page. */
    async #reopen(source) {
        const problem = await api.get("/v1/session").catch((error) => error);
        // Not if the stream was closed or opened again in the meantime.
        if (this.#source !== source || problem?.status === 401) return;
        this.#connect();
    }
}

/** The number at the end of an event's id, where a point says that further events of the change follow. */
function changeNumber(id) {
    return Number.parseInt(id.slice(id.lastIndexOf("-") + 1), 10) || 0;
}

const shared = new SharedConnection();
