import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { EventStream } from "../shell/event-stream.js";

/** How often a visible page reads the sync while the event stream is broken, in milliseconds. */
const interval = 2_000;

/** Whether a sync has not ended. */
function isUnfinished(sync) {
    return sync?.state === "queued" || sync?.state === "running";
}

/**
 * Whether a sync reads nothing until the end of a pause, perhaps until tomorrow. Others run meanwhile, which leave the
 * paused service to it.
 */
function isPaused({ state, sources }) {
    return state === "running" && sources.some((source) => source.state === "waiting" && source.error)
        && sources.every((source) => ["complete", "skipped", "failed"].includes(source.state)
            || source.state === "waiting" && source.error);
}

/**
 * The person's syncs, kept up to date by the event stream. It dispatches `change`; `ended` with a sync that this page
 * saw begin or run; and `problem` with an error that does not pass by itself.
 */
export class LibrarySync extends EventTarget {
    /** The sync that was asked for last: `null` before the first one, `undefined` until that is known. */
    latest = undefined;
    #signal;
    /** The unfinished syncs by their ids. One may wait behind another. */
    #unfinished = new Map();
    #events = 0;

    constructor({ signal }) {
        super();
        this.#signal = signal;
    }

    /** The sync to show: one that reads a service, or else the latest. */
    get shown() {
        const running = [...this.#unfinished.values()].find((sync) => sync.state === "running" && !isPaused(sync));
        return running ?? this.latest;
    }

    /** Whether the sync to show reads, or is about to. One that is paused does not keep others from being begun. */
    get isUnfinished() {
        return isUnfinished(this.shown) && !isPaused(this.shown);
    }

    follow() {
        const signal = this.#signal;
        const stream = new EventStream({ signal });
        // Reading after the stream has opened misses no change.
        for (const event of ["open", "reset"]) stream.addEventListener(event, () => this.load());
        stream.addEventListener("librarySync", ({ detail }) => {
            this.#events += 1;
            this.#take(detail);
        });
        const timer = setInterval(() => {
            if (!stream.isOpen && !document.hidden && isUnfinished(this.shown)) this.load();
        }, interval);
        signal.addEventListener("abort", () => clearInterval(timer));
        connection.addEventListener("restored", () => this.load(), { signal });
        this.load();
    }

    async load() {
        const events = this.#events;
        try {
            const latest = await api.get("/v1/library/syncs/latest", { signal: this.#signal });
            // An event that came meanwhile may be newer than the answer.
            if (events !== this.#events) return this.load();
            // One sync of a person runs at a time: those before it ended while nobody listened, or are paused.
            if (latest.state !== "queued") this.#forgetBefore(latest.id);
            this.#take(latest);
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            if (problem.status === 404) {
                this.latest ??= null;
                this.dispatchEvent(new Event("change"));
            } else if (!problem.isPassing) {
                this.dispatchEvent(new CustomEvent("problem", { detail: problem }));
            }
        }
    }

    /** Asks for a sync: `{}` for all services, `{ source }`, or `{ force: true }`. It may join the running one. */
    async start(request) {
        await this.#expect(await api.post("/v1/library/syncs", request, { signal: this.#signal }));
    }

    /** Puts away the errors of all services. */
    async dismissErrors() {
        await api.post("/v1/library/errors/dismiss", undefined, { signal: this.#signal });
        await this.load();
    }

    /** Says whether a service's new sign-in is the account that was read before. A sync follows. */
    async answerAccount(source, same) {
        const path = `/v1/library/sources/${source}/account`;
        await this.#expect(await api.post(path, { same }, { signal: this.#signal }));
    }

    /** Takes the sync that a request has begun or joined. */
    async #expect({ id, state }) {
        // Its end is an event of this page even if it comes before the next answer.
        if (!this.#unfinished.has(id)) this.#take({ id, state, sources: [] });
        await this.load();
    }

    #forgetBefore(latest) {
        for (const [id, sync] of this.#unfinished) {
            if (id < latest && !isPaused(sync)) this.#unfinished.delete(id);
        }
    }

    #take(sync) {
        const wasUnfinished = this.#unfinished.delete(sync.id);
        if (isUnfinished(sync)) this.#unfinished.set(sync.id, sync);
        // Ids are in the order in which syncs were asked for.
        if (!this.latest || sync.id >= this.latest.id) this.latest = sync;
        this.dispatchEvent(new Event("change"));
        if (wasUnfinished && !isUnfinished(sync)) this.dispatchEvent(new CustomEvent("ended", { detail: sync }));
    }
}
