import { api } from "../shell/api.js";

/**
 * The ranked artists.
 *
 * A change shows at once and is sent in its turn; one that is refused is taken back, and those after it stay. It
 * dispatches `change` whenever what is shown changes. An artist that is not saved yet has `isNew`.
 */
export class ArtistList extends EventTarget {
    /** As the gateway has it. */
    #saved = [];
    /** Changes that have not been answered, oldest first: `{apply, send, isSent, moves?}`. */
    #pending = [];
    #lastSent = Promise.resolve();
    #newArtists = 0;
    capacity = 20;

    get artists() {
        return this.#pending.reduce((artists, change) => ranked(change.apply(artists)), this.#saved);
    }

    get isFull() {
        return this.artists.length >= this.capacity;
    }

    /** Whether the gateway has not answered every change yet. */
    get isSaving() {
        return this.#pending.length > 0;
    }

    /** Resolves when all changes until now have been answered, whatever the answers were. */
    settled() {
        return this.#lastSent;
    }

    /** Reads the list anew, unless changes are on their way: their answers are newer. */
    async load({ signal } = {}) {
        const list = await api.get("/v1/artists", { signal });
        if (this.isSaving) return;
        this.capacity = list.capacity;
        this.#become(list.artists);
    }

    /** Without a rank the artist comes last. */
    add(name, rank = this.artists.length + 1) {
        this.#newArtists += 1;
        const added = { id: `new-${this.#newArtists}`, name, isNew: true };
        return this.#change({ apply: (artists) => inserted(artists, added, rank), send: async () => {
            // What was asked for last may not have come to be, and the gateway takes no rank beyond the end.
            const atMost = Math.min(rank, this.#saved.length + 1);
            const artist = await api.post("/v1/artists", { name, rank: atMost });
            this.#saved = inserted(this.#saved, artist, artist.rank);
        } });
    }

    remove(id) {
        const without = (artists) => artists.filter((artist) => artist.id !== id);
        return this.#change({ apply: without, send: async () => {
            await api.delete(`/v1/artists/${id}`);
            this.#saved = ranked(without(this.#saved));
        } });
    }

    /** `rank` is from 1 to the length of the list. */
    move(id, rank) {
        const move = {
            moves: id,
            apply: (artists) => moved(artists, id, rank),
            send: async () => {
                this.#saved = (await api.post(`/v1/artists/${id}/move`, { to: rank })).artists;
            },
        };
        // Of many steps in a row only the last place matters, so those that wait are one.
        const waiting = this.#pending.at(-1);
        if (waiting?.moves !== id || waiting.isSent) return this.#change(move);
        Object.assign(waiting, move);
        this.#dispatch();
        return waiting.sent;
    }

    /** Shows a change, sends it when those before it are answered, and throws what it is refused with. */
    #change(change) {
        this.#pending.push(change);
        this.#dispatch();
        change.sent = this.#lastSent.then(() => {
            change.isSent = true;
            return change.send();
        }).finally(() => {
            this.#pending = this.#pending.filter((other) => other !== change);
            this.#dispatch();
        });
        // The next change does not care how this one ended.
        this.#lastSent = change.sent.catch(() => {});
        return change.sent;
    }

    #become(artists) {
        const isSame = JSON.stringify(artists) === JSON.stringify(this.#saved);
        this.#saved = artists;
        if (!isSame) this.#dispatch();
    }

    #dispatch() {
        this.dispatchEvent(new Event("change"));
    }
}

function ranked(artists) {
    return artists.map((artist, index) => ({ ...artist, rank: index + 1 }));
}

function inserted(artists, artist, rank) {
    return ranked(artists.toSpliced(rank - 1, 0, artist));
}

function moved(artists, id, rank) {
    const artist = artists.find((artist) => artist.id === id);
    if (!artist) return artists;
    return inserted(artists.filter((other) => other.id !== id), artist, rank);
}
