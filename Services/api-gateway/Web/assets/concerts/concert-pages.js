import { api } from "../shell/api.js";

/** As many shows as are shown at a time, and as many as one answer can hold. */
export const shownAtATime = 50;
const most = 200;

/** The shows of a search, read page by page in the gateway's order: by the artist's rank, then by date. */
export class ConcertPages {
    search = null;
    concerts = [];
    #cursor = null;
    #path;
    #signal;

    constructor(id, { signal }) {
        this.#path = `/v1/concert-searches/${encodeURIComponent(id)}`;
        this.#signal = signal;
    }

    get isComplete() {
        return this.#cursor === null;
    }

    /** Reads the search with its first page, in place of all that was read before. */
    async begin() {
        const page = await this.#read(null, shownAtATime);
        this.search = page;
        this.concerts = page.items;
        this.#cursor = page.nextCursor;
    }

    /** Reads on until there are so many shows, or no more. */
    async readUpTo(count) {
        while (this.concerts.length < count && !this.isComplete) {
            const cursor = this.#cursor;
            const page = await this.#read(cursor, Math.min(most, count - this.concerts.length));
            // Begun anew meanwhile, or read by another call.
            if (cursor !== this.#cursor) continue;
            this.concerts = [...this.concerts, ...page.items];
            this.#cursor = page.nextCursor;
        }
    }

    #read(cursor, limit) {
        const query = new URLSearchParams({ limit });
        if (cursor) query.set("cursor", cursor);
        return api.get(`${this.#path}?${query}`, { signal: this.#signal });
    }
}
