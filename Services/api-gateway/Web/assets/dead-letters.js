import { announce } from "./announcer.js";
import { api } from "./api.js";
import { element, hiddenText } from "./dom.js";
import { clockTime } from "./formats.js";
import { icon } from "./icons.js";
import { wordsFor } from "./problem-view.js";

/** Jobs that failed for good, each with its attempts and a button that gives it all of them again. */
export class DeadLetters {
    #signal;
    #list = element("ul", { class: "dead-letters" });
    #nothing = element("p", { class: "secondary", hidden: true }, "No job has failed for good.");
    #error = element("p", { class: "field-error", role: "alert" });
    #more = element("button", { class: "button", type: "button", hidden: true, onclick: () => this.#readOn() }, "Load more");
    #cursor = null;
    element = element("div", {}, this.#error, this.#nothing, this.#list, this.#more);

    constructor({ signal }) {
        this.#signal = signal;
    }

    /** Reads the newest ones, in place of what is shown. */
    async load() {
        const page = await api.get("/v1/admin/dead-letters?limit=20", { signal: this.#signal });
        this.#list.replaceChildren();
        this.#append(page);
    }

    async #readOn() {
        this.#error.textContent = "";
        try {
            const cursor = encodeURIComponent(this.#cursor);
            this.#append(await api.get(`/v1/admin/dead-letters?limit=20&cursor=${cursor}`, { signal: this.#signal }));
        } catch (problem) {
            this.#fail(problem);
        }
    }

    #append({ items, nextCursor }) {
        this.#list.append(...items.map((job) => this.#item(job)));
        this.#cursor = nextCursor;
        this.#more.hidden = !nextCursor;
        this.#nothing.hidden = this.#list.children.length > 0;
    }

    #item(job) {
        const item = element("li", { class: "card" },
            element("div", { class: "headline" },
                element("h3", {}, job.kind),
                element("button", { class: "button small", type: "button", onclick: () => this.#requeue(job, item) },
                    icon("refresh"), "Requeue", hiddenText(` ${job.kind} ${job.id}`))),
            element("p", { class: "secondary" }, [
                job.userName ? `of ${job.userName}` : "of Backline itself",
                job.finishedAt && `failed ${clockTime(job.finishedAt)}`, `job ${job.id}`].filter(Boolean).join(" · ")),
            element("p", {}, job.error && `${job.error.message} (${job.error.code})`),
            job.attempts.length > 0 && element("details", {},
                element("summary", {}, `${job.attempts.length} failed attempts`,
                    hiddenText(` of ${job.kind} ${job.id}`)),
                element("ol", {}, job.attempts.map(({ attempt, code, message, finishedAt }) =>
                    element("li", {}, `Attempt ${attempt}, ${clockTime(finishedAt)}: ${message} (${code})`)))));
        return item;
    }

    async #requeue(job, item) {
        this.#error.textContent = "";
        try {
            await api.post(`/v1/admin/jobs/${job.id}/requeue`, undefined, { signal: this.#signal });
            const next = item.nextElementSibling ?? item.previousElementSibling;
            item.remove();
            this.#nothing.hidden = this.#list.children.length > 0;
            next?.querySelector("button").focus();
            announce(`${job.kind} waits in the queue again.`);
        } catch (problem) {
            this.#fail(problem);
        }
    }

    #fail(problem) {
        if (!this.#signal.aborted && problem.status !== 401) this.#error.textContent = wordsFor(problem);
    }
}
