import { api } from "../shell/api.js";

/** The number of concerts that the page shows at first and adds each time. */
export const shownAtATime = 50;
/** The API's limit for one page. */
const pageLimit = 200;

/** The API's path of a search's concerts. */
export function searchPath(id) {
    return `/v1/concert-searches/${encodeURIComponent(id)}`;
}

/**
 * The concerts of a search, read page by page in the gateway's order: by the artist's rank, then by date. `path` is the
 * API's, with or without a query.
 */
export class ConcertPages {
    search = null;
    concerts = [];
    #cursor = null;
    #path;
    #signal;

    constructor(path, { signal }) {
        this.#path = path;
        this.#signal = signal;
    }

    get isComplete() {
        return this.#cursor === null;
    }

    /** Reads the search with its first page, and forgets the pages read before. */
    async begin() {
        const page = await this.#read(null, shownAtATime);
        this.search = page;
        // A search that runs may have no page yet.
        this.concerts = page.items ?? [];
        this.#cursor = page.nextCursor ?? null;
    }

    /** Reads further pages until it has `count` concerts, or all of them. */
    async readUpTo(count) {
        while (this.concerts.length < count && !this.isComplete) {
            const cursor = this.#cursor;
            const page = await this.#read(cursor, Math.min(pageLimit, count - this.concerts.length));
            // In the meantime, `begin` ran again, or another call read this page.
            if (cursor !== this.#cursor) continue;
            this.concerts = [...this.concerts, ...page.items];
            this.#cursor = page.nextCursor;
        }
    }

    #read(cursor, limit) {
        const query = new URLSearchParams({ limit });
        if (cursor) query.set("cursor", cursor);
        return api.get(`${this.#path}${this.#path.includes("?") ? "&" : "?"}${query}`, { signal: this.#signal });
    }
}
