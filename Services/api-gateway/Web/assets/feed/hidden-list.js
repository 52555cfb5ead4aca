import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { EventStream } from "../shell/event-stream.js";
import { element } from "../ui/dom.js";
import { emptyView, messageFor, problemView } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";
import { missingSources } from "./feed-notices.js";
import { hiddenKey, hiddenRow, hiddenTitle } from "./hidden-row.js";

const itemsOfPage = 50;
/** The most pages that are read again to bring the list up to date. */
const mostPages = 10;
/** How long changes in quick succession are gathered before the list is read again, in milliseconds. */
const pause = 400;
/** The kind of the feed's changes. */
const kind = "feedItem";

/** The items that the person has hidden from the feed, the latest first, each with a button that shows it again. */
export class HiddenList {
    element = element("div", { class: "hidden-list" });
    #signal;
    /** `{ item, json, row }` by the items' keys, in their order. */
    #rows = new Map();
    #missing = element("div", {});
    #list = element("ul", { class: "hidden-items", "aria-label": "Hidden items" });
    #error = element("div", { class: "list-error", role: "alert" });
    #more = element("button", { class: "button more", type: "button", hidden: true, onclick: () => this.#readOn() },
        "Load more");
    #cursor = null;
    /** What the latest answer lacks, and what is shown of that. */
    #lacks = [];
    #shownLacks = "[]";
    #hasFailed = false;
    #timer = null;
    /** Counts what was read, since a later answer knows more. */
    #reading = 0;

    constructor({ signal }) {
        this.#signal = signal;
        const stream = new EventStream({ signal });
        stream.addEventListener("gone", ({ detail }) => detail.kind === kind && this.#plan(), { signal });
        stream.addEventListener("reset", ({ detail }) => {
            if (!detail.kinds || detail.kinds.includes(kind)) this.#plan();
        }, { signal });
        connection.addEventListener("restored", () => this.#hasFailed && this.begin(), { signal });
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
    }

    /** Shows the list from its beginning. */
    async begin() {
        this.element.replaceChildren(element("p", { class: "secondary", role: "status" }, "Loading …"));
        try {
            await this.#read();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#hasFailed = true;
            this.element.replaceChildren(problemView(problem, () => this.begin(), { level: 2 }));
        }
    }

    #plan() {
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            // What is shown stays if it cannot be read.
            this.#read().catch(() => {});
        }, pause);
    }

    /** Reads as many items as are shown, from the beginning. Throws a `Problem`. */
    async #read() {
        this.#reading += 1;
        const reading = this.#reading;
        const wanted = this.#rows.size;
        const items = [];
        let answer = null;
        for (let page = 0; page < mostPages; page += 1) {
            answer = await this.#page(answer?.nextCursor ?? null);
            items.push(...answer.items);
            if (answer.nextCursor === null || items.length >= wanted) break;
        }
        if (reading === this.#reading) this.#accept(items, answer);
    }

    async #readOn() {
        if (this.#more.ariaDisabled === "true") return;
        this.#more.ariaDisabled = "true";
        this.#error.replaceChildren();
        this.#reading += 1;
        const reading = this.#reading;
        const known = this.#rows.size;
        try {
            const answer = await this.#page(this.#cursor);
            if (reading !== this.#reading) return;
            this.#accept([...this.#items, ...answer.items], answer);
            this.#list.children[known]?.querySelector("a, button").focus();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#error.replaceChildren(element("p", { class: "field-error" }, messageFor(problem)),
                element("button", { class: "button small", type: "button", onclick: () => this.#readOn() }, "Retry"));
        } finally {
            this.#more.ariaDisabled = "false";
        }
    }

    #page(cursor) {
        const query = new URLSearchParams({ limit: itemsOfPage, ...(cursor && { cursor }) });
        return api.get(`/v1/feed/hidden?${query}`, { signal: this.#signal });
    }

    get #items() {
        return [...this.#rows.values()].map(({ item }) => item);
    }

    #accept(items, { nextCursor, missing }) {
        this.#cursor = nextCursor;
        this.#lacks = missing;
        this.#hasFailed = false;
        this.#show(items);
    }

    /** Shows these items. A row that stays keeps its element, and so the focus. */
    #show(items) {
        const former = this.#rows;
        const focused = [...former.values()].findIndex(({ row }) => row.contains(document.activeElement));
        this.#rows = new Map(items.map((item) => {
            const [key, json] = [hiddenKey(item), JSON.stringify(item)];
            const known = former.get(key);
            if (known?.json === json) return [key, known];
            return [key, { item, json, row: hiddenRow(item, () => this.#showAgain(item)) }];
        }));
        for (const [key, { row }] of former) if (this.#rows.get(key)?.row !== row) row.remove();
        let next = this.#list.firstElementChild;
        for (const { row } of this.#rows.values()) {
            if (row === next) next = next.nextElementSibling;
            else this.#list.insertBefore(row, next);
        }
        this.#more.hidden = this.#cursor === null;
        this.#showLacks();
        const isEmpty = items.length === 0 && this.#cursor === null;
        if (isEmpty) this.element.replaceChildren(this.#missing, empty());
        else if (!this.#list.isConnected) this.element.replaceChildren(this.#missing, this.#list, this.#error, this.#more);
        if (focused >= 0 && !this.#list.contains(document.activeElement)) this.#focusNear(focused);
    }

    #showLacks() {
        const text = JSON.stringify(this.#lacks);
        // Replacing identical buttons would lose the focus.
        if (text === this.#shownLacks) return;
        this.#shownLacks = text;
        this.#missing.replaceChildren(...[missingSources(this.#lacks, () => this.begin())].filter(Boolean));
    }

    async #showAgain(item) {
        const title = hiddenTitle(item);
        const path = `/v1/feed/hidden/${item.kind}/${encodeURIComponent(item.id)}`;
        try {
            await api.delete(path);
            // An answer to an earlier request has the item.
            this.#reading += 1;
            this.#show(this.#items.filter((one) => hiddenKey(one) !== hiddenKey(item)));
            toast(`“${title}” is no longer hidden.`, { undo: async () => {
                try {
                    await api.put(path);
                    await this.#read();
                } catch (problem) {
                    throw new Error(messageFor(problem));
                }
            } });
        } catch (problem) {
            if (!this.#signal.aborted && problem.status !== 401) toast(messageFor(problem));
        }
    }

    #focusNear(index) {
        const rows = [...this.#list.children];
        const near = rows[Math.min(index, rows.length - 1)];
        (near?.querySelector("button") ?? document.querySelector("main h1"))?.focus({ preventScroll: true });
    }
}

function empty() {
    return emptyView({
        picture: "feed", title: "You have hidden nothing",
        text: "Choose “Hide this” in the menu of a card of your feed, and it appears here.",
        actions: [element("a", { class: "button primary", href: "/feed" }, "Go to your feed")],
    });
}
