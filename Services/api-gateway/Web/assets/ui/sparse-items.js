/** The number of items that one request reads. */
const pageSize = 50;
/** The API's largest page. One such page refreshes what the window shows and what is near it. */
const largestPage = 200;
/** The number of items above which those farther from the window than `reach` are dropped. */
const mostKept = 4_000;
const reach = 1_500;

/**
 * The items of a long list that have been read. Requests that are no longer needed are aborted, so that the items are
 * always those of the latest `begin` or `refresh`.
 */
export class SparseItems {
    #load;
    #items = new Map();
    #total = 0;
    /** The running requests, by the page that they read. */
    #asking = new Map();
    #beginning = new AbortController();
    #failed = new Set();

    constructor(load) {
        this.#load = load;
    }

    at(index) {
        return this.#items.get(index);
    }

    /** The index of the item with an id, or `null` if it has not been read. */
    indexOf(id) {
        for (const [index, item] of this.#items) if (item.id === id) return index;
        return null;
    }

    stop() {
        this.#beginning.abort();
        for (const asking of this.#asking.values()) asking.abort();
        this.#asking.clear();
    }

    forgive() {
        this.#failed.clear();
    }

    /**
     * Reads the list again, starting with the items around an index. Resolves to the number of items, or to `null` if
     * another read superseded this one.
     */
    async begin(index) {
        const position = Math.max(0, index - pageSize / 2);
        const page = await this.#only((signal) => this.#load({ position, limit: pageSize, signal }));
        if (!page) return null;
        this.#keep(position, page);
        return page.total;
    }

    /**
     * Reads the items around an index again, and forgets the others. Resolves to `{ total, moved }`, where `moved` is
     * how far the item at the index `kept` has moved, or to `null` as in `begin`.
     */
    async refresh(index, kept) {
        const [former, total] = [this.#items.get(kept), this.#total];
        const near = (wanted) => Math.max(0, wanted - largestPage / 4);
        const read = (position) =>
            this.#only((signal) => this.#load({ position, limit: largestPage, signal }));
        let position = near(index);
        let page = await read(position);
        if (!page) return null;
        let place = find(page, former);
        if (former && place < 0 && page.total !== total) {
            // Items that were added or removed before it have moved it by as many.
            position = near(index + page.total - total);
            page = await read(position);
            if (!page) return null;
            place = find(page, former);
        }
        this.#keep(position, page);
        return { total: page.total, moved: former && place >= 0 ? position + place - kept : 0 };
    }

    /** Starts reading what is missing from a range. Returns the requests, which resolve like `begin`. */
    missing(first, end) {
        const pages = new Set();
        for (let index = first; index < end; index += 1) {
            if (!this.#items.has(index)) pages.add(Math.floor(index / pageSize));
        }
        for (const [page, asking] of this.#asking) {
            if (!pages.has(page)) {
                asking.abort();
                this.#asking.delete(page);
            }
        }
        this.#forgetFar(first, end);
        return [...pages].filter((page) => !this.#asking.has(page) && !this.#failed.has(page))
            .map((page) => this.#read(page));
    }

    async #read(page) {
        const asking = new AbortController();
        this.#asking.set(page, asking);
        try {
            const position = page * pageSize;
            const answer = await this.#load({ position, limit: pageSize, signal: asking.signal });
            if (asking.signal.aborted) return null;
            this.#total = answer.total;
            answer.items.forEach((item, offset) => this.#items.set(position + offset, item));
            return answer.total;
        } catch (problem) {
            if (asking.signal.aborted) return null;
            this.#failed.add(page);
            throw problem;
        } finally {
            if (this.#asking.get(page) === asking) this.#asking.delete(page);
        }
    }

    /** Runs a request that supersedes all others. Resolves to `null` if it was superseded itself. */
    async #only(request) {
        this.stop();
        const beginning = new AbortController();
        this.#beginning = beginning;
        try {
            const answer = await request(beginning.signal);
            return beginning.signal.aborted ? null : answer;
        } catch (problem) {
            if (beginning.signal.aborted) return null;
            throw problem;
        }
    }

    #keep(position, { items, total }) {
        this.#failed.clear();
        this.#total = total;
        this.#items = new Map(items.map((item, offset) => [position + offset, item]));
    }

    #forgetFar(first, end) {
        if (this.#items.size <= mostKept) return;
        for (const index of this.#items.keys()) {
            if (index < first - reach || index > end + reach) this.#items.delete(index);
        }
    }
}

function find({ items }, item) {
    return item ? items.findIndex(({ id }) => id === item.id) : -1;
}
