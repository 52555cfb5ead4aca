import { api } from "./api.js";
import { EventStream } from "./event-stream.js";

/** The most items that are counted. Whoever has more sees that they are more. */
const most = 20;
/** How long changes in quick succession are gathered before the number is read again, in milliseconds. */
const pause = 1_000;
/** The most items that arrive before the number is read again. */
const mostArrived = 100;

/**
 * How many items of a list are above the person's read mark, at this moment. The gateway decides which ones the person
 * sees; what arrives later is added here, so that an item of many people does not make all of their pages ask again.
 * Dispatches `change`.
 *
 * `path` is the API's, which answers `{ count, isMore, readMark, seq }`. In the event stream, `kind` is that of the
 * items, and `mark` the event with another read mark. `keyOf(item)` is the id with which an item is gone, and
 * `isAbove(item, mark)` whether it is above a mark, which is not missing. `isAnother(item)` is whether an item that
 * arrives cannot have been counted before.
 */
export class UnreadCount extends EventTarget {
    #path;
    #kind;
    #mark;
    #rules;
    #signal = null;
    #answer = null;
    /** The items that may have arrived since the answer, by their keys. */
    #arrived = new Map();
    #timer = null;
    #isReading = false;
    #isOutdated = false;

    constructor({ path, kind, mark, keyOf, isAbove, isAnother = () => true }) {
        super();
        this.#path = path;
        this.#kind = kind;
        this.#mark = mark;
        this.#rules = { keyOf, isAbove, isAnother };
    }

    get count() {
        return Math.min(most, this.#number);
    }

    get isMore() {
        return Boolean(this.#answer?.isMore) || this.#number > most;
    }

    /** Counts for the person who is signed in, until `signal` is aborted. */
    follow({ signal }) {
        this.#signal = signal;
        const stream = new EventStream({ signal });
        stream.addEventListener("open", () => this.#plan(), { signal });
        stream.addEventListener(this.#kind, ({ detail }) => this.#receive(detail), { signal });
        stream.addEventListener(this.#mark, ({ detail }) => this.#move(detail.readMark), { signal });
        stream.addEventListener("gone", ({ detail }) => this.#remove(detail), { signal });
        stream.addEventListener("reset", ({ detail }) => {
            if (!detail.kinds || detail.kinds.includes(this.#kind)) this.#plan();
        }, { signal });
        signal.addEventListener("abort", () => {
            clearTimeout(this.#timer);
            this.#timer = null;
            this.#answer = null;
            this.#arrived.clear();
            this.#dispatch();
        });
        // Also where there is no stream, since the person has too many of them.
        this.#plan();
    }

    get #number() {
        if (!this.#answer) return 0;
        const { count, seq, readMark } = this.#answer;
        // What was there before the answer is counted by it.
        const { isAbove } = this.#rules;
        return count + [...this.#arrived.values()].filter((item) =>
            item.number > seq && (readMark === null || isAbove(item, readMark))).length;
    }

    #plan() {
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            this.#read();
        }, pause);
    }

    async #read() {
        this.#isOutdated = true;
        if (this.#isReading) return;
        this.#isReading = true;
        const signal = this.#signal;
        try {
            while (this.#isOutdated) {
                this.#isOutdated = false;
                const answer = await api.get(`${this.#path}?limit=${most}`, { signal });
                if (signal.aborted) break;
                this.#answer = answer;
                for (const [key, { number }] of this.#arrived) if (number <= answer.seq) this.#arrived.delete(key);
                this.#dispatch();
            }
        } catch {
            // The pages work without the number. It is read again when the stream has opened again.
        } finally {
            this.#isReading = false;
        }
        // Somebody else has signed in meanwhile.
        if (signal.aborted && !this.#signal.aborted) this.#plan();
    }

    #receive(item) {
        // An item that was there before has changed, or is shown only now.
        if (this.#answer && item.number <= this.#answer.seq) return this.#plan();
        if (this.#arrived.size >= mostArrived || !this.#rules.isAnother(item)) return this.#plan();
        this.#arrived.set(this.#rules.keyOf(item), item);
        this.#dispatch();
    }

    #move(mark) {
        if (!this.#answer || !mark) return;
        const hadItems = this.#answer.count > 0;
        this.#answer = { ...this.#answer, readMark: mark };
        this.#dispatch();
        // Those below the mark that the answer counted are not known one by one.
        if (hadItems) this.#plan();
    }

    #remove({ kind, id }) {
        if (kind === this.#kind && this.#arrived.delete(id)) return this.#dispatch();
        if ([this.#kind, "itemsOf", "person"].includes(kind) && this.#number > 0) this.#plan();
    }

    #dispatch() {
        this.dispatchEvent(new Event("change"));
    }
}
