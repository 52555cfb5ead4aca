import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { EventStream } from "../shell/event-stream.js";

/**
 * The checklist of `GET /v1/setup`, kept up to date by the event stream. It dispatches `change` with the checklist,
 * and `problem` with the error when the checklist cannot be read.
 */
export class SetupStatus extends EventTarget {
    #signal;
    #reads = 0;

    constructor({ signal }) {
        super();
        this.#signal = signal;
    }

    /** Reads the checklist now, and again whenever it may have changed. */
    follow() {
        const stream = new EventStream({ signal: this.#signal });
        // Reading after the stream has opened makes sure that no change is missed.
        for (const event of ["open", "setup", "reset"]) stream.addEventListener(event, () => this.load());
        connection.addEventListener("restored", () => this.load(), { signal: this.#signal });
        this.load();
    }

    async load() {
        this.#reads += 1;
        const read = this.#reads;
        try {
            const checklist = await api.get("/v1/setup", { signal: this.#signal });
            // A later request has the newer answer.
            if (read === this.#reads) this.dispatchEvent(new CustomEvent("change", { detail: checklist }));
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401 || read !== this.#reads) return;
            this.dispatchEvent(new CustomEvent("problem", { detail: problem }));
        }
    }
}

/** The step of a checklist with an id, required or optional. */
export function stepOf(checklist, id) {
    return [...checklist.steps, ...checklist.optional].find((step) => step.id === id);
}

/** "1 of 3 complete", "Setup complete" */
export function progressText({ completed, total }) {
    return completed === total ? "Setup complete" : `${completed} of ${total} complete`;
}
