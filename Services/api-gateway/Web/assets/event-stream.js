/** How long to wait before a stream that the browser has given up is begun anew, in milliseconds. */
const pause = 3_000;
const kinds = ["concertSearch", "setup", "reset"];

/**
 * The gateway's event stream. It dispatches `open` whenever it is connected, from when on nothing is missed; `broken`
 * when it is not; and the gateway's events, each with its data as `detail`.
 *
 * It is closed while nobody sees the page: browsers open six connections to a host at most, for all windows together
 * (HTTP/1.1), and more windows than that could not even be loaded.
 */
export class EventStream extends EventTarget {
    isOpen = false;
    #source = null;
    #timer = null;

    constructor({ signal }) {
        super();
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
            this.dispatchEvent(new Event("open"));
        };
        source.onerror = () => {
            this.#break();
            // After a lost connection the browser comes back by itself; after a refusal it does not.
            if (source.readyState === EventSource.CLOSED) this.#timer = setTimeout(() => this.#connect(), pause);
        };
        for (const kind of kinds) {
            source.addEventListener(kind, ({ data }) =>
                this.dispatchEvent(new CustomEvent(kind, { detail: JSON.parse(data) })));
        }
    }
}
