import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { messageFor } from "../ui/problem-view.js";
import { sourceName } from "../ui/sources.js";
import { toast } from "../ui/toast.js";

/**
 * The changes to libraries at their services that this window has requested. The library shows a change at once, and so
 * does a toast; a later toast reports a change that the service refused. Dispatches `change` when what the library
 * shows may have changed: after a request, and when a change has ended.
 */
class LibraryEdits extends EventTarget {
    /** The ids of the changes that have not ended. */
    #unfinished = new Set();
    #following = null;

    /**
     * Requests a change. `request()` sends it and resolves to the edit. `text` confirms it in a toast, and `undo()`
     * undoes it. Resolves to the edit, or to `null` if the request failed, which a toast reports.
     */
    async submit(request, { text, undo = null }) {
        try {
            const edit = await request();
            toast(text, { undo });
            this.dispatchEvent(new Event("change"));
            this.#follow(edit);
            return edit;
        } catch (problem) {
            if (problem.status !== 401) toast(messageFor(problem));
            return null;
        }
    }

    /** Answers whether a service made a change whose answer was lost. Resolves to the edit. */
    async answer({ id }, isDone) {
        const edit = await api.post(`/v1/library/edits/${id}/answer`, { done: isDone });
        this.dispatchEvent(new Event("change"));
        this.#follow(edit);
        return edit;
    }

    /** Puts back the songs that a change removed and could not restore, or leaves them out. Resolves to the edit. */
    async resolveMissing({ id }, putBack) {
        const edit = await api.post(`/v1/library/edits/${id}/missing`, { putBack });
        this.dispatchEvent(new Event("change"));
        if (putBack) this.#follow(edit);
        return edit;
    }

    #follow(edit) {
        this.#unfinished.add(edit.id);
        this.#update(edit);
        if (this.#following || this.#unfinished.size === 0) return;
        this.#following = new AbortController();
        const stream = new EventStream({ signal: this.#following.signal });
        for (const event of ["open", "reset"]) stream.addEventListener(event, () => this.#readAll());
        stream.addEventListener("libraryEdit", ({ detail }) => this.#update(detail));
    }

    /** Reads the changes that ended before the stream was open. */
    async #readAll() {
        for (const id of [...this.#unfinished]) {
            // The stream opens again after a lost connection.
            const edit = await api.get(`/v1/library/edits/${id}`).catch(() => null);
            if (edit) this.#update(edit);
        }
    }

    #update(edit) {
        if (["queued", "running"].includes(edit.state) || !this.#unfinished.delete(edit.id)) return;
        if (this.#unfinished.size === 0) {
            this.#following?.abort();
            this.#following = null;
        }
        if (edit.state === "failed") toast(`${edit.title}: ${edit.error.message}`);
        if (edit.state === "unclear") {
            toast(`${edit.title}: ${sourceName(edit.source)} has not confirmed the change. `
                + "Please answer the question in your library.");
        }
        this.dispatchEvent(new Event("change"));
    }
}

export const libraryEdits = new LibraryEdits();
