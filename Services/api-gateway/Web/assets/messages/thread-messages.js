import { api } from "../shell/api.js";

/** How many messages are read at first and with each press, and at once when they are read again. */
const ofPage = 50;
const ofReading = 100;
/** The most pages that are read again to bring the messages up to date. */
const mostPages = 10;

/**
 * The messages of a thread that have been read, from the newest back. Dispatches `change` when they have changed, with
 * the messages that have just arrived in `detail.arrived`.
 */
export class ThreadMessages extends EventTarget {
    isLoaded = false;
    #path;
    #signal;
    #messages = new Map();
    #cursor = null;
    /** Counts what was requested, since a later answer knows more. */
    #reading = 0;
    /** The end of the latest reading. */
    #read = Promise.resolve();
    /** What has arrived while an answer was on its way: `{ message, seq }` by the ids. */
    #arrived = new Map();

    constructor(threadID, { signal }) {
        super();
        this.#path = `/v1/threads/${threadID}/messages`;
        this.#signal = signal;
    }

    /** The oldest first. The numbers that the server gives order them; clocks do not. */
    get items() {
        return [...this.#messages.values()].sort((one, other) => one.number - other.number);
    }

    get hasOlder() {
        return this.#cursor !== null;
    }

    /** Reads the newest messages, as far back as they have been read before. Throws a `Problem`. */
    read() {
        const read = this.#readAgain();
        this.#read = read.catch(() => {});
        return read;
    }

    async #readAgain() {
        this.#reading += 1;
        const reading = this.#reading;
        this.#arrived.clear();
        const oldest = this.items[0]?.number ?? null;
        const query = oldest === null ? { limit: ofPage } : { limit: ofReading, since: Math.max(0, oldest - 1) };
        const messages = [];
        let [answer, seq] = [null, null];
        for (let page = 0; page < mostPages; page += 1) {
            answer = await this.#page({ ...query, ...(answer && { cursor: answer.nextCursor }) });
            seq ??= answer.seq;
            messages.push(...answer.items);
            if (oldest === null || !answer.gapBefore) break;
        }
        if (reading !== this.#reading || this.#signal.aborted) return;
        this.#messages = new Map(messages.map((message) => [message.id, message]));
        for (const [id, arrived] of this.#arrived) if (arrived.seq > seq) this.#messages.set(id, arrived.message);
        this.#cursor = answer.nextCursor;
        this.isLoaded = true;
        this.#dispatch();
    }

    /** Reads the next older messages. Resolves to their number. Throws a `Problem`. */
    async readOlder() {
        const oldest = this.items[0]?.number ?? Infinity;
        let [reading, answer] = [null, null];
        // What is read again meanwhile has another end, and may have brought them.
        while (reading !== this.#reading) {
            await this.#read;
            if (!this.hasOlder || this.#older(oldest) > 0) return this.#older(oldest);
            reading = this.#reading;
            answer = await this.#page({ limit: ofPage, cursor: this.#cursor });
            if (this.#signal.aborted) return 0;
        }
        for (const message of answer.items) this.#messages.set(message.id, message);
        this.#cursor = answer.nextCursor;
        this.#dispatch();
        return this.#older(oldest);
    }

    #older(number) {
        return this.items.filter((message) => message.number < number).length;
    }

    /** A message is new, or has changed with the change `seq`. */
    receive(message, seq) {
        this.#arrived.set(message.id, { message, seq });
        if (!this.isLoaded) return;
        const isKnown = this.#messages.has(message.id);
        // An older one follows with its page.
        if (!isKnown && this.hasOlder && message.number < this.items[0]?.number) return;
        this.#messages.set(message.id, message);
        this.#dispatch(isKnown ? [] : [message]);
    }

    #page(query) {
        return api.get(`${this.#path}?${new URLSearchParams(query)}`, { signal: this.#signal });
    }

    #dispatch(arrived = []) {
        this.dispatchEvent(new CustomEvent("change", { detail: { arrived } }));
    }
}
