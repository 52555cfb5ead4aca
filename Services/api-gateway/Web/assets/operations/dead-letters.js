import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { element, hiddenText } from "../ui/dom.js";
import { clockTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";

const pageSize = 20;

/** The dead letters: failed jobs, each with its attempts and a button that requeues it. */
export class DeadLetters {
    #signal;
    #list = element("ul", { class: "dead-letters" });
    #nothing = element("p", { class: "secondary", hidden: true, tabindex: "-1" }, "There are no dead letters.");
    #error = element("p", { class: "field-error", role: "alert" });
    #more = element("button", {
        class: "button", type: "button", hidden: true, onclick: () => this.#readOn(),
    }, "Load more");
    #changes = element("button", {
        class: "button", type: "button", hidden: true, onclick: () => this.#showChanges(),
    }, icon("refresh"), "Show changes");
    #cursor = null;
    /** How many dead letters there were when the list was read. */
    #known = null;
    #count = null;
    element = element("div", {}, this.#error, this.#changes, this.#nothing, this.#list, this.#more);

    constructor({ signal }) {
        this.#signal = signal;
    }

    /** Reads the list again if `count` has changed. While a person is using the list, a button offers that instead. */
    async update(count) {
        this.#count = count;
        const [isOther, isRead, wasOffered] = [count !== this.#known, this.#isRead, !this.#changes.hidden];
        this.#changes.hidden = !isOther || !isRead;
        if (isOther && !isRead) await this.#load();
        if (isOther && isRead && !wasOffered) announce("The list of dead letters has changed.");
    }

    /** Whether a person is using the list: it has the focus, an open entry, or more than its first page. */
    get #isRead() {
        return this.element.contains(document.activeElement) || this.#list.children.length > pageSize
            || this.#list.querySelector("details[open]") !== null;
    }

    /** Replaces the list with the newest dead letters. */
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
            announce("The list is up to date.");
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
                job.userName ? `submitted by ${job.userName}` : "submitted by Backline",
                job.finishedAt && `failed ${clockTime(job.finishedAt)}`, `job ${job.id}`].filter(Boolean).join(" · ")),
            element("p", {}, job.error && `${job.error.message} (${job.error.code})`),
            job.attempts.length > 0 && element("details", { class: "disclosure" },
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
            announce(`${job.kind} is queued again.`);
        } catch (problem) {
            this.#fail(problem);
        }
    }

    #fail(problem) {
        if (!this.#signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
    }
}
