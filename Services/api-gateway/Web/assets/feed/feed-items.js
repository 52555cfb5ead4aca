import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { cardsOf, keyOf, subjectOf } from "./folding.js";

/** The number of cards of a page, and of items that are read at once when the feed is read again. */
const cardsOfPage = 20;
const itemsOfReading = 50;
/** The most requests for one page of cards, when very many items are folded, and for reading the feed again. */
const mostRequests = 20;
/** How long changes in quick succession are gathered before the feed is read again, in milliseconds. */
const pause = 400;
/** The most changes that are kept until the feed is read again. */
const mostReceived = 200;
/** The kind of the feed's changes. */
const kind = "feedItem";

/**
 * The items of the feed that have been read, in the order of the API. What arrives while the person reads is kept back
 * until they ask for it (`reveal`), so that nothing moves. Dispatches `change` when what is shown has changed.
 */
export class FeedItems extends EventTarget {
    /** What the feed answered last besides its items: `readMark`, `missing`, `refresh` and the like. */
    answer = null;
    unfolded = new Set();
    #signal;
    #items = [];
    /** The keys of the items that are kept back. */
    #kept = new Set();
    /** The numbers of the changes that removed items, by their keys. They may arrive before an older answer. */
    #gone = new Map();
    /** The keys of items that the person has put back, which are not kept back as if they were new. */
    #putBack = new Set();
    /** The changes `{ item, seq }` that the last answer may not know: they may arrive before it. */
    #received = [];
    #cursor = null;
    #seq = 0;
    #isReading = false;
    #isOutdated = false;
    #timer = null;

    constructor({ signal }) {
        super();
        this.#signal = signal;
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
    }

    /** The items that are shown. Of the news of one concert, that is the latest. */
    get shown() {
        const subjects = new Set();
        return this.#items.filter((item) => {
            if (this.#kept.has(keyOf(item))) return false;
            const subject = subjectOf(item);
            const isFirst = !subjects.has(subject);
            subjects.add(subject);
            return isFirst;
        });
    }

    get cards() {
        return cardsOf(this.shown, this.unfolded);
    }

    /** How many items arrived that are not shown yet. */
    get newCount() {
        return this.#kept.size;
    }

    get hasMore() {
        return this.#cursor !== null;
    }

    /** Follows the stream of changes. Reading after it has opened makes sure that no change is missed. */
    follow() {
        const signal = this.#signal;
        const stream = new EventStream({ signal });
        stream.addEventListener("open", () => this.answer && this.plan(), { signal });
        stream.addEventListener("reset", ({ detail }) => {
            if (detail.kinds.includes(kind)) this.plan();
        }, { signal });
        stream.addEventListener(kind, ({ detail, seq }) => this.#receive(detail, seq), { signal });
        // A reaction to a share of somebody else changes it only for those who gave and got it.
        stream.addEventListener("share", ({ detail }) => this.#receiveShare(detail), { signal });
        stream.addEventListener("feedReadMark", ({ detail }) => this.#tell(detail), { signal });
        stream.addEventListener("feedRefresh", ({ detail }) => this.#tell(detail), { signal });
        stream.addEventListener("gone", ({ detail, seq }) => {
            if (detail.kind === kind) this.#remove(detail.id, seq);
            // Of somebody, of an own share, or of whoever has left: the feed may have lost several.
            else if (["itemsOf", "person"].includes(detail.kind)) this.plan();
        }, { signal });
    }

    /** Reads the first page. Throws a `Problem`. */
    async begin() {
        this.#items = [];
        this.#kept.clear();
        this.answer = null;
        await this.#readOn(null);
    }

    /** Reads on until there is another page of cards. Throws a `Problem`. */
    async readOn() {
        if (this.#isReading || this.#cursor === null) return;
        await this.#readOn(this.#cursor);
    }

    /** Reads what is shown again, soon. A failure leaves it as it is. */
    plan() {
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            this.refresh().catch(() => {});
        }, pause);
    }

    /** Reads what is shown again, and keeps back what is new. Throws a `Problem`. */
    async refresh() {
        this.#isOutdated = true;
        if (this.#isReading) return;
        this.#isReading = true;
        try {
            while (this.#isOutdated) {
                this.#isOutdated = false;
                this.#replace(await this.#readAgain());
            }
        } finally {
            this.#isReading = false;
        }
    }

    /** Shows what was kept back. */
    reveal() {
        this.#kept.clear();
        this.#dispatch();
    }

    unfold(foldKey) {
        this.unfolded.add(foldKey);
        this.#dispatch();
    }

    /** Removes the items of which `isMeant(item)` is true, and returns a function that puts them back. */
    remove(isMeant) {
        const removed = this.#items.filter(isMeant);
        this.#items = this.#items.filter((item) => !removed.includes(item));
        this.#received = this.#received.filter(({ item }) => !isMeant(item));
        this.#dispatch();
        return async () => {
            for (const item of removed) {
                this.#putBack.add(keyOf(item));
                this.#kept.delete(keyOf(item));
            }
            await this.refresh();
            this.#dispatch();
        };
    }

    /** Shows another state of an item that the person has changed. */
    update(changed) {
        const key = keyOf(changed);
        this.#items = this.#items.map((item) => keyOf(item) === key ? changed : item);
        // A change from before must not undo it when it is applied again.
        this.#received = this.#received.map((one) => keyOf(one.item) === key ? { ...one, item: changed } : one);
    }

    async #readOn(cursor) {
        this.#isReading = true;
        try {
            const wanted = this.cards.length + cardsOfPage;
            let next = cursor;
            for (let request = 0; request < mostRequests; request += 1) {
                const answer = await this.#page(next, cardsOfPage);
                this.#accept(answer, { isFirst: next === null });
                const known = new Set(this.#items.map(keyOf));
                this.#items.push(...this.#living(answer).filter((item) => !known.has(keyOf(item))));
                this.#cursor = next = answer.nextCursor;
                if (next === null || this.cards.length >= wanted) break;
            }
            // What arrived for this page may be newer than the page.
            this.#applyReceived();
            this.#dispatch();
        } finally {
            this.#isReading = false;
        }
        if (this.#isOutdated) this.plan();
    }

    /** The items from the beginning to the last one that has been read, and whether these are all. */
    async #readAgain() {
        const items = [];
        let answer = null;
        for (let request = 0; request < mostRequests; request += 1) {
            answer = await this.#page(answer?.nextCursor ?? null, itemsOfReading);
            this.#accept(answer, { isFirst: request === 0 });
            items.push(...this.#living(answer));
            if (answer.nextCursor === null || items.length >= this.#items.length) break;
        }
        return { items, nextCursor: answer.nextCursor };
    }

    #replace({ items, nextCursor }) {
        const former = new Set(this.#items.map(keyOf));
        const read = new Set(items.map(keyOf));
        const end = items.at(-1);
        const lastKnown = items.findLastIndex((item) => former.has(keyOf(item)));
        const isShowing = this.shown.length > 0;
        items.forEach((item, index) => {
            // Below what is shown, nothing moves.
            if (isShowing && !former.has(keyOf(item)) && index < lastKnown) this.#keepBack(keyOf(item));
            // At the end of a short feed, what is new at its head has nothing known below it.
            else if (isShowing && !former.has(keyOf(item)) && lastKnown < 0) this.#keepBack(keyOf(item));
        });
        const rest = nextCursor === null ? []
            : this.#items.filter((item) => !read.has(keyOf(item)) && end && isBefore(end, item));
        this.#items = [...items, ...rest];
        const all = new Set(this.#items.map(keyOf));
        for (const key of this.#kept) if (!all.has(key)) this.#kept.delete(key);
        if (rest.length === 0) this.#cursor = nextCursor;
        this.#applyReceived();
        this.#dispatch();
    }

    #page(cursor, limit) {
        const query = new URLSearchParams({ limit, ...(cursor && { cursor }) });
        return api.get(`/v1/feed?${query}`, { signal: this.#signal });
    }

    #accept(answer, { isFirst }) {
        if (!isFirst) return;
        // Changes after the first page may be missing in it, whatever a later page knows.
        this.#seq = answer.seq;
        this.answer = answer;
    }

    /** The items of an answer, without those that changes removed which the answer does not know yet. */
    #living({ items, seq = Infinity }) {
        return items.filter((item) => !this.#isGone(item, seq));
    }

    #remove(key, seq) {
        // The list has been read since.
        if (seq && seq <= this.#seq) return;
        this.#gone.set(key, seq || Infinity);
        const removed = this.#items.filter((item) => keyOf(item) === key || subjectOf(item) === key);
        for (const item of removed) this.#kept.delete(keyOf(item));
        this.#items = this.#items.filter((item) => !removed.includes(item));
        this.#dispatch();
    }

    /** An item that is new or has changed. */
    #receive(item, seq) {
        this.#received.push({ item, seq });
        // Reading the feed again knows them all.
        if (this.#received.length > mostReceived) this.plan();
        if (!this.answer || seq <= this.#seq) return;
        this.#apply(item);
        this.#dispatch();
    }

    /** Applies the changes that are newer than the answer. */
    #applyReceived() {
        this.#received = this.#received.filter(({ seq }) => seq > this.#seq);
        for (const { item, seq } of this.#received) if (!this.#isGone(item, seq)) this.#apply(item);
    }

    /** Whether a change after the number `seq` removed an item, or the concert that it is about. */
    #isGone(item, seq) {
        return [keyOf(item), subjectOf(item)].some((key) => this.#gone.get(key) > seq);
    }

    #apply(item) {
        const key = keyOf(item);
        const isKnown = this.#items.some((one) => keyOf(one) === key);
        const last = this.#items.at(-1);
        // It is on a page that has not been read.
        if (!isKnown && this.#cursor !== null && last && isBefore(last, item)) return;
        if (isKnown) this.#items = this.#items.map((one) => keyOf(one) === key ? item : one);
        else {
            const index = this.#items.findIndex((one) => isBefore(item, one));
            if (this.shown.length > 0) this.#keepBack(key);
            this.#items = this.#items.toSpliced(index < 0 ? this.#items.length : index, 0, item);
        }
    }

    #keepBack(key) {
        if (!this.#putBack.has(key)) this.#kept.add(key);
    }

    #receiveShare(share) {
        const item = this.#items.find((one) => one.kind === "share" && one.id === share.id);
        if (!item) return;
        this.update({ ...item, share });
        this.#dispatch();
    }

    /** Members of the answer that changed. */
    #tell(members) {
        // What is being read may be older.
        if (this.#isReading) this.#isOutdated = true;
        if (!this.answer) return;
        this.answer = { ...this.answer, ...members };
        this.#dispatch();
    }

    #dispatch() {
        this.dispatchEvent(new Event("change"));
    }
}

/** Whether an item comes before another one in the feed. */
function isBefore(item, other) {
    return item.sortScore !== other.sortScore ? item.sortScore > other.sortScore : item.number > other.number;
}
