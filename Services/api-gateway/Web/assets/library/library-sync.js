import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { EventStream } from "../shell/event-stream.js";

/** How often a visible page reads the sync while the event stream is broken, in milliseconds. */
const interval = 2_000;

/** Whether a sync is still queued or running. */
function isUnfinished(sync) {
    return sync?.state === "queued" || sync?.state === "running";
}

/**
 * Whether a sync reads nothing until a pause ends, perhaps until tomorrow. Other syncs may run in the meantime; they
 * leave the paused service to this one.
 */
function isPaused({ state, sources }) {
    return state === "running" && sources.some((source) => source.state === "waiting" && source.error)
        && sources.every((source) => ["complete", "skipped", "failed"].includes(source.state)
            || source.state === "waiting" && source.error);
}

/**
 * The person's syncs, kept up to date by the event stream. Dispatches `change`; `ended` with a sync that this page saw
 * begin or run; and `problem` with an error that does not resolve itself.
 */
export class LibrarySync extends EventTarget {
    /** The sync that was requested last: `null` before the first one, `undefined` until that is known. */
    latest = undefined;
    #signal;
    /** The unfinished syncs by their ids. One may be waiting for another to end. */
    #unfinished = new Map();
    #events = 0;

    constructor({ signal }) {
        super();
        this.#signal = signal;
    }

    /** The sync to show: one that is reading a service, or else the latest. */
    get shown() {
        const running = [...this.#unfinished.values()].find((sync) => sync.state === "running" && !isPaused(sync));
        return running ?? this.latest;
    }

    /** Whether the shown sync is reading or about to. A paused sync does not prevent others from being started. */
    get isUnfinished() {
        return isUnfinished(this.shown) && !isPaused(this.shown);
    }

    follow() {
        const signal = this.#signal;
        const stream = new EventStream({ signal });
        // Reading after the stream has opened makes sure that no change is missed.
        for (const event of ["open", "reset"]) stream.addEventListener(event, () => this.load());
        stream.addEventListener("librarySync", ({ detail }) => {
            this.#events += 1;
            this.#update(detail);
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
            // An event that arrived in the meantime may be newer than the answer.
            if (events !== this.#events) return this.load();
            if (!latest) {
                this.latest ??= null;
                this.dispatchEvent(new Event("change"));
                return;
            }
            // Only one sync of a person runs at a time: earlier ones are paused, or their end was missed.
            if (latest.state !== "queued") this.#forgetBefore(latest.id);
            this.#update(latest);
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401 || problem.isPassing) return;
            this.dispatchEvent(new CustomEvent("problem", { detail: problem }));
        }
    }

    /** Asks for a sync: `{}` for all services, `{ source }`, or `{ force: true }`. It may join the running one. */
    async start(request) {
        await this.#expect(await api.post("/v1/library/syncs", request, { signal: this.#signal }));
    }

    /** Dismisses the errors of all services. */
    async dismissErrors() {
        await api.post("/v1/library/errors/dismiss", undefined, { signal: this.#signal });
        await this.load();
    }

    /** Answers whether a service's new sign-in belongs to the account that was read before. A sync follows. */
    async answerAccount(source, same) {
        const path = `/v1/library/sources/${source}/account`;
        await this.#expect(await api.post(path, { same }, { signal: this.#signal }));
    }

    /** Records the sync that a request started or joined. */
    async #expect({ id, state }) {
        // Recorded before the next answer, so that even an earlier end is dispatched.
        if (!this.#unfinished.has(id)) this.#update({ id, state, sources: [] });
        await this.load();
    }

    #forgetBefore(latest) {
        for (const [id, sync] of this.#unfinished) {
            if (id < latest && !isPaused(sync)) this.#unfinished.delete(id);
        }
    }

    #update(sync) {
        const wasUnfinished = this.#unfinished.delete(sync.id);
        if (isUnfinished(sync)) this.#unfinished.set(sync.id, sync);
        // Ids are in the order in which syncs were requested.
        if (!this.latest || sync.id >= this.latest.id) this.latest = sync;
        this.dispatchEvent(new Event("change"));
        if (wasUnfinished && !isUnfinished(sync)) this.dispatchEvent(new CustomEvent("ended", { detail: sync }));
    }
}
