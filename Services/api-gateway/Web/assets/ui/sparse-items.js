/** The number of items that one request reads. */
const pageSize = 50;
/** The API's largest page. One such page refreshes what the window shows and what is near it. */
const largestPage = 200;
/** The number of items above which those farther from the window than `reach` are dropped. */
const mostItems = 4_000;
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
    #requests = new Map();
    #reload = new AbortController();
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
        this.#reload.abort();
        for (const request of this.#requests.values()) request.abort();
        this.#requests.clear();
    }

    /** Lets the pages that could not be read be requested again. */
    clearFailures() {
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
        this.#replaceItems(position, page);
        return page.total;
    }

    /**
     * Reads the items around an index again, and forgets the others. Resolves to `{ total, moved }`, where `moved` is
     * how far the item at the index `anchor` has moved, or to `null` as in `begin`.
     */
    async refresh(index, anchor) {
        const [former, total] = [this.#items.get(anchor), this.#total];
        const near = (wanted) => Math.max(0, wanted - largestPage / 4);
        const read = (position) =>
            this.#only((signal) => this.#load({ position, limit: largestPage, signal }));
        let position = near(index);
        let page = await read(position);
        if (!page) return null;
        let offset = find(page, former);
        if (former && offset < 0 && page.total !== total) {
            // Items that were added or removed before it have moved it by as many.
            position = near(index + page.total - total);
            page = await read(position);
            if (!page) return null;
            offset = find(page, former);
        }
        this.#replaceItems(position, page);
        return { total: page.total, moved: former && offset >= 0 ? position + offset - anchor : 0 };
    }

    /** Starts reading what is missing from a range. Returns the requests, which resolve like `begin`. */
    missing(first, end) {
        const pages = new Set();
        for (let index = first; index < end; index += 1) {
            if (!this.#items.has(index)) pages.add(Math.floor(index / pageSize));
        }
        for (const [page, request] of this.#requests) {
            if (!pages.has(page)) {
                request.abort();
                this.#requests.delete(page);
            }
        }
        this.#dropDistant(first, end);
        return [...pages].filter((page) => !this.#requests.has(page) && !this.#failed.has(page))
            .map((page) => this.#read(page));
    }

    async #read(page) {
        const request = new AbortController();
        this.#requests.set(page, request);
        try {
            const position = page * pageSize;
            const answer = await this.#load({ position, limit: pageSize, signal: request.signal });
            if (request.signal.aborted) return null;
            this.#total = answer.total;
            answer.items.forEach((item, offset) => this.#items.set(position + offset, item));
            return answer.total;
        } catch (problem) {
            if (request.signal.aborted) return null;
            this.#failed.add(page);
            throw problem;
        } finally {
            if (this.#requests.get(page) === request) this.#requests.delete(page);
        }
    }

    /** Runs a request that supersedes all others. Resolves to `null` if it was superseded itself. */
    async #only(request) {
        this.stop();
        const controller = new AbortController();
        this.#reload = controller;
        try {
            const answer = await request(controller.signal);
            return controller.signal.aborted ? null : answer;
        } catch (problem) {
            if (controller.signal.aborted) return null;
            throw problem;
        }
    }

    #replaceItems(position, { items, total }) {
        this.#failed.clear();
        this.#total = total;
        this.#items = new Map(items.map((item, offset) => [position + offset, item]));
    }

    #dropDistant(first, end) {
        if (this.#items.size <= mostItems) return;
        for (const index of this.#items.keys()) {
            if (index < first - reach || index > end + reach) this.#items.delete(index);
        }
    }
}

function find({ items }, item) {
    return item ? items.findIndex(({ id }) => id === item.id) : -1;
}
