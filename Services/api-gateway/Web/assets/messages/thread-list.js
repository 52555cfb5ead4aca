import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { EventStream } from "../shell/event-stream.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { requestButtons } from "./request-answer.js";
import { threadRow } from "./thread-row.js";

const threadsOfPage = 20;
/** The most pages that are read again to bring the list up to date. */
const mostPages = 10;
/** How long changes in quick succession are gathered before the list is read again, in milliseconds. */
const pause = 300;
/** The API's address of each list, and the states of the threads that are in it. */
const lists = {
    open: { path: "/v1/threads?", has: ({ state }) => !["new", "request", "blocked"].includes(state) },
    blocked: { path: "/v1/threads?state=blocked&", has: ({ state }) => state === "blocked" },
    requests: { path: "/v1/me/message-requests?", has: ({ state }) => state === "request" },
};

/** Threads of the person, the one with the newest message first. What changes is shown at once. */
export class ThreadList {
    element = element("div", { class: "thread-list" });
    #list;
    #signal;
    #empty;
    /** `{ thread, json, row }` by the ids of the threads, in their order. */
    #rows = new Map();
    #rowList;
    #error = element("p", { class: "field-error", role: "alert" });
    #more = element("button", { class: "button more", type: "button", hidden: true, onclick: () => this.#readOn() },
        "Load more");
    #cursor = null;
    #isLoaded = false;
    #hasFailed = false;
    #timer = null;
    /** Counts what was requested, since a later answer knows more. */
    #reading = 0;
    /** What has arrived while an answer was on its way, by the ids: a thread, or `null` for one that is gone. */
    #arrived = new Map();

    /** `kind` is one of `lists`, `label` the list's name, and `empty()` what is shown in place of an empty list. */
    constructor({ kind, label, empty, signal }) {
        this.#list = lists[kind];
        this.#signal = signal;
        this.#empty = empty;
        this.#rowList = element("ul", { class: "threads", "aria-label": label });
        const stream = new EventStream({ signal });
        stream.addEventListener("open", () => this.#plan(), { signal });
        stream.addEventListener("thread", ({ detail }) =>
            this.#receive(detail.id, this.#list.has(detail) ? detail : null), { signal });
        stream.addEventListener("gone", ({ detail: { kind: gone, id } }) => {
            if (gone === "thread") this.#receive(id, null);
            else if (gone === "person") this.#plan();
        }, { signal });
        stream.addEventListener("reset", ({ detail: { kinds } }) => {
            if (!kinds || kinds.includes("thread")) this.#plan();
        }, { signal });
        connection.addEventListener("restored", () => this.#hasFailed ? this.begin() : this.#plan(), { signal });
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
    }

    /** Shows the list from its beginning. */
    async begin() {
        this.#hasFailed = false;
        this.element.replaceChildren(element("p", { class: "secondary", role: "status" }, "Loading …"));
        try {
            await this.#readAgain();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#hasFailed = true;
            this.element.replaceChildren(problemView(problem, () => this.begin(), { level: 2 }));
        }
    }

    #plan() {
        // What could not be read is read again by its own button.
        if (this.#hasFailed) return;
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            // What is shown stays if it cannot be read.
            this.#readAgain().catch(() => {});
        }, pause);
    }

    /** Reads as many threads as are shown, from the beginning. Throws a `Problem`. */
    async #readAgain() {
        const wanted = this.#rows.size;
        await this.#request(async () => {
            const threads = [];
            let cursor = null;
            for (let page = 0; page < mostPages; page += 1) {
                const answer = await this.#page(cursor);
                cursor = answer.nextCursor;
                threads.push(...answer.items);
                if (cursor === null || threads.length >= wanted) break;
            }
            return { threads, cursor };
        });
    }

    async #readOn() {
        if (this.#more.ariaDisabled === "true") return;
        this.#more.ariaDisabled = "true";
        this.#error.textContent = "";
        const known = new Set(this.#rows.keys());
        try {
            await this.#request(async () => {
                const answer = await this.#page(this.#cursor);
                return { threads: [...this.#threads, ...answer.items], cursor: answer.nextCursor };
            });
            const added = [...this.#rows].filter(([id]) => !known.has(id));
            announce(`${counted(added.length, "more conversation")}.`);
            if (this.#more.hidden) (added[0]?.[1].row.querySelector("a") ?? heading()).focus();
        } catch (problem) {
            if (!this.#signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        } finally {
            this.#more.ariaDisabled = "false";
        }
    }

    /** Shows what `read()` has read, unless something later was requested meanwhile. */
    async #request(read) {
        this.#reading += 1;
        const reading = this.#reading;
        this.#arrived.clear();
        const { threads, cursor } = await read();
        if (reading !== this.#reading || this.#signal.aborted) return;
        this.#isLoaded = true;
        this.#cursor = cursor;
        const all = new Map(threads.map((thread) => [thread.id, thread]));
        for (const [id, thread] of this.#arrived) {
            if (thread) all.set(id, thread);
            else all.delete(id);
        }
        this.#show([...all.values()]);
    }

    #page(cursor) {
        const query = new URLSearchParams({ limit: threadsOfPage, ...(cursor && { cursor }) });
        return api.get(`${this.#list.path}${query}`, { signal: this.#signal });
    }

    get #threads() {
        return [...this.#rows.values()].map(({ thread }) => thread);
    }

    /** A thread has changed; `null` if it is not, or no longer, in this list. */
    #receive(id, thread) {
        this.#arrived.set(id, thread);
        if (!this.#isLoaded) return;
        const others = this.#threads.filter((one) => one.id !== id);
        // One below the last that is shown follows with its page.
        const last = this.#cursor === null ? null : others.at(-1);
        const isOnLaterPage = thread && last && orderOf(thread) < orderOf(last);
        this.#show(thread && !isOnLaterPage ? [thread, ...others] : others);
        if (others.length === 0 && !thread && this.#cursor !== null) this.#plan();
    }

    /** Shows these threads, the latest first. A row that stays keeps its element, and so the focus. */
    #show(threads) {
        const sorted = threads.sort((one, other) => orderOf(other) - orderOf(one));
        const former = this.#rows;
        const focused = [...former.values()].findIndex(({ row }) => row.contains(document.activeElement));
        const focusedID = [...former.keys()][focused];
        this.#rows = new Map(sorted.map((thread) => [thread.id, this.#row(thread, former.get(thread.id))]));
        for (const [id, { row }] of former) if (this.#rows.get(id)?.row !== row) row.remove();
        let next = this.#rowList.firstElementChild;
        for (const { row } of this.#rows.values()) {
            // Moving a row that is in its place would lose the focus.
            if (row === next) next = next.nextElementSibling;
            else this.#rowList.insertBefore(row, next);
        }
        this.#more.hidden = this.#cursor === null;
        if (sorted.length === 0 && this.#cursor === null) this.element.replaceChildren(this.#empty());
        else if (!this.#rowList.isConnected) this.element.replaceChildren(this.#rowList, this.#error, this.#more);
        if (focused < 0 || this.#rowList.contains(document.activeElement)) return;
        const rows = [...this.#rows.values()];
        const near = this.#rows.get(focusedID) ?? rows[Math.min(focused, rows.length - 1)];
        (near?.row.querySelector("a") ?? heading()).focus({ preventScroll: true });
    }

    #row(thread, known) {
        const json = JSON.stringify(thread);
        if (known?.json === json) return known;
        const end = () => this.#receive(thread.id, null);
        const buttons = thread.state === "request" ? requestButtons(thread, {
            signal: this.#signal, accepted: end, declined: end, failed: () => this.#plan(),
        }) : null;
        return { thread, json, row: threadRow(thread, { buttons }) };
    }
}

/** The order of a thread in a list. Requests, whose message is not in the list, have the time of the server only. */
function orderOf({ last, at }) {
    return last?.number ?? (at ? Date.parse(at) : 0);
}

function heading() {
    return document.querySelector("main h1");
}
