import { api } from "../shell/api.js";
import { watchSearch } from "./search-watch.js";

/** How many of the latest searches are looked at. */
const latest = 5;

/**
 * Whether the person has a search for artists that runs: `address` is that of its page, or null. `changed()` is called
 * whenever that changes, until `signal` is aborted.
 */
export class RunningSearch {
    address = null;
    #signal;
    #changed;

    constructor({ signal, changed }) {
        this.#signal = signal;
        this.#changed = changed;
        this.#look();
    }

    async #look() {
        // The page works without it: the gateway accepts a second search.
        const found = await api.get(`/v1/concert-searches?limit=${latest}`, { signal: this.#signal }).catch(() => null);
        const search = found?.items.find(({ state }) => state === "running");
        if (this.#signal.aborted) return;
        this.#set(search ? `/explore/concerts/${search.id}` : null);
        if (search) this.#watch(search.id);
    }

    #watch(id) {
        const watching = new AbortController();
        const end = () => {
            watching.abort();
            if (!this.#signal.aborted) this.#look();
        };
        this.#signal.addEventListener("abort", () => watching.abort());
        watchSearch(id, {
            signal: watching.signal, changed: ({ state }) => state === "running" || end(), failed: end,
        });
    }

    #set(address) {
        if (address === this.address) return;
        this.address = address;
        this.#changed();
    }
}
