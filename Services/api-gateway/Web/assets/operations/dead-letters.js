import { announce } from "../shell/announcer.js";
import { api } from "../shell/api.js";
import { element, hiddenText } from "../components/dom.js";
import { clockTime } from "../components/formats.js";
import { icon } from "../components/icons.js";
import { wordsFor } from "../components/problem-view.js";

const pageSize = 20;

/** Jobs that failed for good, each with its attempts and a button that gives it all of them again. */
export class DeadLetters {
    #signal;
    #list = element("ul", { class: "dead-letters" });
    #nothing = element("p", { class: "secondary", hidden: true, tabindex: "-1" }, "No job has failed for good.");
    #error = element("p", { class: "field-error", role: "alert" });
    #more = element("button", {
        class: "button", type: "button", hidden: true, onclick: () => this.#readOn(),
    }, "Load more");
    #changes = element("button", {
        class: "button", type: "button", hidden: true, onclick: () => this.#showChanges(),
    }, icon("refresh"), "Show changes");
    #cursor = null;
    /** How many there are, as far as the list shows it. */
    #known = null;
    #count = null;
    element = element("div", {}, this.#error, this.#changes, this.#nothing, this.#list, this.#more);

    constructor({ signal }) {
        this.#signal = signal;
    }

    /** There are `count` now. What is shown is replaced only when there are others, and nobody is reading. */
    async update(count) {
        this.#count = count;
        const [isOther, isRead, wasOffered] = [count !== this.#known, this.#isRead, !this.#changes.hidden];
        this.#changes.hidden = !isOther || !isRead;
        if (isOther && !isRead) await this.#load();
        if (isOther && isRead && !wasOffered) announce("There are other dead letters now.");
    }

    /** Whether somebody stands on it, has opened one of them, or has read beyond the first page. */
    get #isRead() {
        return this.element.contains(document.activeElement) || this.#list.children.length > pageSize
            || this.#list.querySelector("details[open]") !== null;
    }

    /** Reads the newest ones, in place of what is shown. */
    async #load() {
        const count = this.#count;
        const page = await api.get(`/v1/admin/dead-letters?limit=${pageSize}`, { signal: this.#signal });
        this.#known = count;
        this.#list.replaceChildren();
        this.#append(page);
    }

    async #showChanges() {
        this.#error.textContent = "";
        try {
            await this.#load();
            (this.#list.querySelector("button") ?? this.#nothing).focus();
            this.#changes.hidden = true;
            announce("The list is current.");
        } catch (problem) {
            this.#fail(problem);
        }
    }

    async #readOn() {
        this.#error.textContent = "";
        try {
            const cursor = encodeURIComponent(this.#cursor);
            const path = `/v1/admin/dead-letters?limit=${pageSize}&cursor=${cursor}`;
            this.#append(await api.get(path, { signal: this.#signal }));
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
            this.#known -= 1;
            this.#nothing.hidden = this.#list.children.length > 0;
            (next?.querySelector("button") ?? this.#nothing).focus();
            announce(`${job.kind} waits in the queue again.`);
        } catch (problem) {
            this.#fail(problem);
        }
    }

    #fail(problem) {
        if (!this.#signal.aborted && problem.status !== 401) this.#error.textContent = wordsFor(problem);
    }
}
