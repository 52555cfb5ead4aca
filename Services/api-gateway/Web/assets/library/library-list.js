import { element } from "../ui/dom.js";
import { api } from "../shell/api.js";

/** How many items one request reads. */
const pageSize = 100;
/** The API's largest page: a list that is not longer can be read again at once. */
const largestPage = 200;

/**
 * The items of a list of the library, in pages. A later request makes the answer of an earlier one void, so that the
 * rows are always those of the latest query.
 */
export class LibraryList {
    element = element("ul", { class: "rows" });
    /** The number of items of the whole list; `null` before the first answer. */
    total = null;
    #signal;
    #query = null;
    #cursor = null;
    #rows = new Map();
    #asking = new AbortController();

    constructor({ signal }) {
        this.#signal = signal;
        signal.addEventListener("abort", () => this.#asking.abort());
    }

    /** The number of rows. */
    get count() {
        return this.#rows.size;
    }

    get isComplete() {
        return this.#cursor === null;
    }

    /** Whether `refresh` cannot read all rows with one request. */
    get isLong() {
        return this.count > largestPage;
    }

    /** Shows the first page of a list. Returns whether it is shown: another query may have come first. */
    async begin(query) {
        this.#query = query;
        const page = await this.#ask({ limit: pageSize });
        if (!page) return false;
        this.element.setAttribute("aria-label", query.lists.label);
        this.#rows.clear();
        this.#show(page);
        return true;
    }

    /** Reads the shown rows again, and changes those that have changed. Returns as `begin`. */
    async refresh() {
        const page = await this.#ask({ limit: Math.min(Math.max(this.count, pageSize), largestPage) });
        if (page) this.#show(page);
        return Boolean(page);
    }

    /** Adds the next page. Returns its first row; `null` when another request has come first. */
    async more() {
        const page = await this.#ask({ limit: pageSize, cursor: this.#cursor });
        if (!page) return null;
        this.#take(page);
        // Rows may move while a sync writes. None is shown twice.
        const added = page.items.filter(({ id }) => !this.#rows.has(id)).map((item) => this.#row(item));
        this.element.append(...added);
        return added[0] ?? null;
    }

    /** The answer of the latest request; `null` for an earlier one. */
    async #ask(options) {
        this.#asking.abort();
        const asking = new AbortController();
        this.#asking = asking;
        try {
            const page = await api.get(this.#query.path(options), { signal: asking.signal });
            return asking.signal.aborted ? null : page;
        } catch (problem) {
            if (asking.signal.aborted && !this.#signal.aborted) return null;
            throw problem;
        }
    }

    #show(page) {
        this.#take(page);
        const former = this.#rows;
        this.#rows = new Map();
        const rows = page.items.map((item) => this.#row(item, former));
        const shown = this.element.children;
        // Replacing a row that stays would take away the focus and the selection.
        if (rows.length === shown.length && rows.every((row, index) => row === shown[index])) return;
        const focused = document.activeElement;
        this.element.replaceChildren(...rows);
        if (this.element.contains(focused)) focused.focus({ preventScroll: true });
    }

    #take({ total, nextCursor }) {
        this.total = total;
        this.#cursor = nextCursor ?? null;
    }

    /** The element of an item: the former one when the item has not changed. */
    #row(item, former = new Map()) {
        const text = JSON.stringify(item);
        const known = former.get(item.id);
        const entry = known?.text === text ? known : { text, element: this.#query.lists.row(item) };
        this.#rows.set(item.id, entry);
        return entry.element;
    }
}
