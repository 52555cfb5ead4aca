import { requireSpotify, topScope } from "../connections/spotify-access.js";
import { api } from "../shell/api.js";

/**
 * The ranked artists, with changes shown before they are saved.
 *
 * A change shows at once. It is sent when the changes before it have been answered. A refused change is undone; later
 * changes stay. The list dispatches `change` whenever `artists` changes. An artist that is not saved yet has `isNew`.
 */
export class ArtistList extends EventTarget {
    /** The list as the gateway last returned it. */
    #saved = [];
    /** The changes that have not been answered, oldest first: `{apply, send, isSent, sent, moves?}`. */
    #pending = [];
    #lastSent = Promise.resolve();
    #newArtists = 0;
    capacity = 20;
    /** Whether the list was ever saved. A list that has not been read counts as saved. */
    isSaved = true;

    get artists() {
        return this.#pending.reduce((artists, change) => ranked(change.apply(artists)), this.#saved);
    }

    get isFull() {
        return this.artists.length >= this.capacity;
    }

    /** Whether a change has not been answered yet. */
    get isSaving() {
        return this.#pending.length > 0;
    }

    /** Resolves when every change made so far has been answered, whether it was accepted or refused. */
    allAnswered() {
        return this.#lastSent;
    }

    /** Reads the list again. While changes are unanswered it changes nothing: their answers are newer. */
    async load({ signal } = {}) {
        const list = await api.get("/v1/artists", { signal });
        if (this.isSaving) return;
        this.#replaceList(list);
    }

    /** Fills a list that was never saved with the artists that the person listens to most. */
    async fill({ signal } = {}) {
        await requireSpotify({ signal, scope: topScope });
        const list = await api.post("/v1/artists/reset", { onlyIfNeverSaved: true }, { signal });
        if (!this.isSaving) this.#replaceList(list);
    }

    /** Replaces the list with the top artists of a time range. Returns the previous list. */
    async reset(timeRange) {
        await requireSpotify({ scope: topScope });
        await this.allAnswered();
        const former = this.#saved;
        this.#replaceList(await api.post("/v1/artists/reset", { timeRange }));
        return former;
    }

    /** Replaces the list with other artists. */
    async replace(artists) {
        await this.allAnswered();
        this.#replaceList(await api.put("/v1/artists", { artists }));
    }

    /** Adds an artist at a rank; without one, at the end. `artist` has a name, and more if it was found on Spotify. */
    add({ name, spotifyId = null, picture = null, genres = [] }, rank = this.artists.length + 1) {
        this.#newArtists += 1;
        const known = spotifyId === null ? {} : { spotifyId, picture, genres };
        const added = { id: `new-${this.#newArtists}`, name, ...known, isNew: true };
        return this.#change({ apply: (artists) => inserted(artists, added, rank), send: async () => {
            // An earlier change may have been refused, and the gateway accepts no rank beyond the end.
            const atMost = Math.min(rank, this.#saved.length + 1);
            const artist = await api.post("/v1/artists", { name, ...known, rank: atMost });
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

    /** Moves an artist to a rank, from 1 to the length of the list. */
    move(id, rank) {
        const move = {
            moves: id,
            apply: (artists) => moved(artists, id, rank),
            send: async () => {
                this.#saved = (await api.post(`/v1/artists/${id}/move`, { to: rank })).artists;
            },
        };
        // Of several moves of one artist in a row only the last rank matters: an unsent move takes the new rank.
        const waiting = this.#pending.at(-1);
        if (waiting?.moves !== id || waiting.isSent) return this.#change(move);
        Object.assign(waiting, move);
        this.#dispatch();
        return waiting.sent;
    }

    /** Shows a change, and sends it after those before it. Throws the problem with which the gateway refuses it. */
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
        // The next change is sent whether this one was accepted or refused.
        this.#lastSent = change.sent.catch(() => {});
        return change.sent;
    }

    #replaceList({ artists, capacity, isSaved }) {
        this.capacity = capacity;
        this.isSaved = isSaved;
        this.#replaceArtists(artists);
    }

    #replaceArtists(artists) {
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
