/** How long to wait before a stream that the browser has given up is begun anew, in milliseconds. */
const pause = 3_000;
const kinds = ["concertSearch", "setup", "reset"];

/**
 * The gateway's event stream. It dispatches `open` whenever it is connected, from when on nothing is missed; `broken`
 * when it is not; and the gateway's events, each with its data as `detail`.
 */
export class EventStream extends EventTarget {
    isOpen = false;
    #source = null;
    #timer = null;

    constructor({ signal }) {
        super();
        this.#connect();
        signal.addEventListener("abort", () => {
            clearTimeout(this.#timer);
            this.#source.close();
        });
    }

    #connect() {
        const source = new EventSource("/v1/events");
        this.#source = source;
        source.onopen = () => {
            this.isOpen = true;
            this.dispatchEvent(new Event("open"));
        };
        source.onerror = () => {
            this.isOpen = false;
            this.dispatchEvent(new Event("broken"));
            // After a lost connection the browser comes back by itself; after a refusal it does not.
            if (source.readyState === EventSource.CLOSED) this.#timer = setTimeout(() => this.#connect(), pause);
        };
        for (const kind of kinds) {
            source.addEventListener(kind, ({ data }) =>
                this.dispatchEvent(new CustomEvent(kind, { detail: JSON.parse(data) })));
        }
    }
}
