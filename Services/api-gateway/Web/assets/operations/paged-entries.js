import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { element } from "../ui/dom.js";
import { messageFor, problemView } from "../ui/problem-view.js";

const pageSize = 50;

/** A list for administrators that grows page by page. `entry(item)` makes an `<li>`. */
export class PagedEntries {
    element = element("div", { class: "entries" }, element("p", { class: "secondary", role: "status" }, "Loading …"));
    #options;
    #list;
    #error = element("p", { class: "field-error", role: "alert" });
    #more = element("button", { class: "button more", type: "button", onclick: () => this.#readOn() }, "Load more");
    #nothing;
    #count = 0;
    #cursor = null;

    /** `label` names the list, `path` is the API's, and `nothing` is the text of an empty list. */
    constructor(options) {
        this.#options = options;
        this.#list = element("ul", { class: "entries", "aria-label": options.label });
        this.#nothing = element("p", { class: "secondary", tabindex: "-1" }, options.nothing);
        connection.addEventListener("restored", () => this.load(), { signal: options.signal });
    }

    /** Reads the list, or all of it that is shown again. The focus stays at the same place. */
    async load() {
        const { entry, signal } = this.#options;
        const focused = [...this.#list.children].findIndex((row) => row.contains(document.activeElement));
        try {
            const items = [];
            let cursor = null;
            do {
                const page = await this.#page(cursor);
                items.push(...page.items);
                cursor = page.nextCursor;
            } while (cursor !== null && items.length < this.#count);
            [this.#count, this.#cursor] = [items.length, cursor];
            this.#list.replaceChildren(...items.map(entry));
            this.#show();
            if (focused >= 0) this.#focus(Math.min(focused, items.length - 1));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            this.element.replaceChildren(problemView(problem, () => this.load(), { level: 2 }));
        }
    }

    #page(cursor) {
        const { path, signal } = this.#options;
        const query = new URLSearchParams({ limit: pageSize, ...(cursor && { cursor }) });
        return api.get(`${path}${path.includes("?") ? "&" : "?"}${query}`, { signal });
    }

    async #readOn() {
        const { entry, signal } = this.#options;
        this.#error.textContent = "";
        try {
            const { items, nextCursor } = await this.#page(this.#cursor);
            const first = this.#count;
            this.#list.append(...items.map(entry));
            [this.#count, this.#cursor] = [first + items.length, nextCursor];
            this.#show();
            this.#focus(first);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        }
    }

    #show() {
        this.#more.hidden = this.#cursor === null;
        if (this.#count === 0) this.element.replaceChildren(this.#nothing);
        else if (!this.#list.isConnected) this.element.replaceChildren(this.#list, this.#error, this.#more);
    }

    #focus(index) {
        (this.#list.children[index]?.querySelector("button, a") ?? this.#nothing).focus();
    }
}
