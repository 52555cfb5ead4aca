import { element, hiddenText } from "./dom.js";
import { dropPictures } from "./picture.js";
import { RowFocus } from "./row-focus.js";
import { SparseItems } from "./sparse-items.js";

/** The number of rows beyond the window that are in the page, on each side. */
const margin = 10;
/** The maximum number of rows in the page, however high the window is. */
const mostRows = 250;
/** A list that scrolls faster than this requests rows only once it rests, in rows per frame. */
const fast = 60;
/** How long a list has to rest before the rows that it shows are requested, in milliseconds. */
const rest = 90;

/**
 * A list of any length that has only the rows near the window in the page. The window scrolls it; the keyboard moves
 * the focus (`RowFocus`). All rows have the same height, which the style sheet sets (`--row-height`). Browsers limit
 * the height of a page: at 92 pixels a row, Firefox to 194,000 rows and Chromium to 364,000.
 *
 * `load({ position, limit, signal })` resolves to `{ items, total }`, as the API answers. `row(item)` returns the `li`
 * of an item; the items have an `id`. `scrollPosition` is what `onScroll` was called with before the person left the
 * list, which then begins there.
 *
 * It dispatches `change` when rows or the number of items have changed, and `problem` with an error.
 */
export class VirtualList extends EventTarget {
    #list = element("ul", { class: "virtual-rows", role: "list" });
    #probe = element("div", { class: "virtual-probe", "aria-hidden": "true" });
    element = element("div", { class: "virtual" }, this.#probe, this.#list);
    /** The number of items; `null` before the first answer. */
    total = null;
    #items;
    #row;
    #scrollPosition;
    #onScroll;
    #focus;
    /** The rows in the page: `{ element, item, layout }` by the item's index. */
    #rows = new Map();
    #height = 0;
    #first = 0;
    #frame = 0;
    #resting = 0;
    #reporting = 0;

    constructor({ label, load, row, scrollPosition = null, onScroll = () => {}, signal }) {
        super();
        this.#list.setAttribute("aria-label", label);
        this.#row = row;
        this.#onScroll = onScroll;
        this.#items = new SparseItems(load);
        this.#focus = new RowFocus(this.#list, {
            count: () => this.total ?? 0, screenful: () => Math.max(1, Math.floor(this.#screen / this.#height) - 1),
            show: (index) => this.#scrollIntoView(index), moved: () => this.#reportScroll(),
        });
        this.#scrollPosition = scrollPosition;
        addEventListener("scroll", () => this.#schedule(), { signal, passive: true });
        addEventListener("resize", () => this.#schedule(), { signal });
        const sizes = new ResizeObserver(() => this.#resize());
        sizes.observe(this.#probe);
        signal.addEventListener("abort", () => {
            sizes.disconnect();
            this.#items.stop();
            cancelAnimationFrame(this.#frame);
            clearTimeout(this.#resting);
            clearTimeout(this.#reporting);
        });
    }

    set label(text) {
        this.#list.setAttribute("aria-label", text);
    }

    /** Shows the list from its beginning, or where the person left it. Returns whether it is shown. */
    async begin() {
        const former = this.#scrollPosition;
        this.#scrollPosition = null;
        this.#list.ariaBusy = "true";
        try {
            const total = await this.#items.begin(former?.index ?? 0);
            if (total === null) return false;
            const returns = former && former.index < total;
            this.clear();
            this.#focus.index = returns ? former.focus ?? former.index : 0;
            this.#setTotal(total);
            if (returns) this.#scrollTo(former.index, former.offset);
            else if (this.element.isConnected && this.#top < 0) this.#scrollTo(0);
            this.#render();
            if (returns && former.focus !== null) this.#focus.focusRow();
            return true;
        } finally {
            this.#list.ariaBusy = "false";
        }
    }

    /**
     * Reads the shown rows again. The first row in the window stays where it is, even if rows before it came or went,
     * unless it is the first of the list.
     */
    async refresh() {
        if (this.total === null) return;
        this.#measure();
        const first = this.#indexAt(0);
        const focused = this.#items.at(this.#focus.index);
        const answer = await this.#items.refresh(first, this.#top >= 0 ? null : first);
        if (!answer) return;
        this.#setTotal(answer.total);
        if (answer.moved !== 0) scrollBy({ top: answer.moved * this.#height, behavior: "instant" });
        this.#focus.index = Math.min(this.#items.indexOf(focused?.id) ?? this.#focus.index, answer.total);
        this.#render();
    }

    /** Removes all rows, before a list of another kind begins. */
    clear() {
        this.#items.stop();
        for (const { element: row } of this.#rows.values()) removeRow(row);
        this.#rows.clear();
        this.total = null;
        this.#list.style.height = "";
    }

    /** Requests again what could not be read. */
    retry() {
        this.#items.clearFailures();
        this.#render();
    }

    // MARK: Geometry

    /** The distance of the list's beginning from the upper edge of what the window shows, in pixels. */
    get #top() {
        return this.#list.getBoundingClientRect().top - this.#insets.top;
    }

    /** The height of what the window shows between the header and the bars at its lower edge. */
    get #screen() {
        return Math.max(this.#height, innerHeight - this.#insets.top - this.#insets.bottom);
    }

    /** The heights that bars cover, which the style sheet sets for the browser's own scrolling. */
    get #insets() {
        const style = getComputedStyle(document.documentElement);
        return { top: parseFloat(style.scrollPaddingTop) || 0, bottom: parseFloat(style.scrollPaddingBottom) || 0 };
    }

    #indexAt(y) {
        return Math.min(Math.max(0, Math.floor((y - this.#top) / (this.#height || 1))), Math.max(0, this.total - 1));
    }

    #measure() {
        this.#height = this.#probe.offsetHeight || this.#height;
    }

    #scrollTo(index, offset = 0) {
        scrollBy({ top: this.#top + index * this.#height - offset, behavior: "instant" });
    }

    /** Scrolls as little as needed to show an item, and puts its row into the page. */
    #scrollIntoView(index) {
        const above = this.#top + index * this.#height;
        if (above < 0) scrollBy({ top: above, behavior: "instant" });
        else if (above + this.#height > this.#screen) {
            scrollBy({ top: above + this.#height - this.#screen, behavior: "instant" });
        }
        this.#render();
        return this.#rows.get(index)?.element ?? null;
    }

    /** Updates the row height, which changes with the text size. The same rows stay in the window. */
    #resize() {
        const [former, index] = [this.#height, this.total === null ? 0 : this.#indexAt(0)];
        this.#measure();
        if (this.total === null || former === this.#height) return;
        const isAtTop = former === 0 || this.#top >= 0;
        this.#setTotal(this.total);
        if (!isAtTop) this.#scrollTo(index);
        this.#render();
    }

    // MARK: Rows

    #setTotal(total) {
        this.#measure();
        this.total = total;
        this.#list.style.height = `${total * this.#height}px`;
        this.dispatchEvent(new Event("change"));
    }

    #schedule() {
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            this.#render();
            clearTimeout(this.#reporting);
            this.#reporting = setTimeout(() => this.#reportScroll(), rest);
        });
    }

    #render() {
        if (this.total === null || !this.element.isConnected || !this.#height) return;
        const top = this.#list.getBoundingClientRect().top;
        // Some rows are always in the page, for the keyboard and screen readers, even if the window shows none.
        const first = Math.max(0, Math.min(Math.floor(-top / this.#height), this.total) - margin);
        const below = Math.max(Math.ceil((innerHeight - top) / this.#height), first) + margin;
        const end = Math.min(this.total, below, first + mostRows);
        const wanted = [];
        for (let index = first; index < end; index += 1) wanted.push(index);
        // A row with the focus stays, wherever the window goes.
        const focused = this.#focus.isInside ? this.#focus.index : -1;
        if (focused >= 0 && focused < this.total && (focused < first || focused >= end)) {
            if (focused < first) wanted.unshift(focused);
            else wanted.push(focused);
        }
        this.#placeRows(wanted);
        this.#request(first, end);
    }

    /** Puts the rows of these indexes into the page, in their order, and removes the others. */
    #placeRows(wanted) {
        const hadFocus = this.#focus.isInside;
        // Replacing a row that stays would lose the focus and the selection.
        const former = new Map([...this.#rows.values()].map((row) => [row.item?.id, row]));
        const rows = new Map(wanted.map((index) => [index, this.#rowAt(index, former)]));
        const staying = new Set([...rows.values()].map((row) => row.element));
        for (const { element: row } of this.#rows.values()) if (!staying.has(row)) removeRow(row);
        let next = this.#list.firstElementChild;
        for (const [index, row] of rows) {
            if (row.element === next) next = next.nextElementSibling;
            else this.#list.insertBefore(row.element, next);
            this.#positionRow(row, index);
        }
        this.#rows = rows;
        this.#focus.setRows(rows);
        if (hadFocus && !this.#focus.isInside) this.#focus.focusRow();
    }

    /** Sets the position of a row. Most rows have theirs: writing it again in every frame takes time. */
    #positionRow(row, index) {
        const layout = `${index}/${this.total}/${this.#height}`;
        if (row.layout === layout) return;
        row.layout = layout;
        row.element.style.transform = `translateY(${index * this.#height}px)`;
        row.element.ariaPosInSet = index + 1;
        row.element.ariaSetSize = this.total;
    }

    #rowAt(index, former) {
        const item = this.#items.at(index) ?? null;
        const known = item ? former.get(item.id) : this.#rows.get(index);
        if (known?.item === item) return known;
        if (known?.item && item && JSON.stringify(known.item) === JSON.stringify(item)) return { ...known, item };
        return { item, element: item ? this.#row(item) : placeholder() };
    }

    #request(first, end) {
        const speed = Math.abs(first - this.#first);
        this.#first = first;
        clearTimeout(this.#resting);
        if (speed > fast) this.#resting = setTimeout(() => this.#fetch(first, end), rest);
        else this.#fetch(first, end);
    }

    #fetch(first, end) {
        for (const request of this.#items.missing(first, end)) {
            request.then((total) => {
                if (total === null) return;
                if (total !== this.total) this.#setTotal(total);
                this.#render();
                this.dispatchEvent(new Event("change"));
            }, (problem) => this.dispatchEvent(new CustomEvent("problem", { detail: problem })));
        }
    }

    // MARK: The scroll position

    #reportScroll() {
        if (this.total === null || !this.element.isConnected) return;
        const index = this.#indexAt(0);
        this.#onScroll({
            index, offset: this.#top + index * this.#height, focus: this.#focus.isInside ? this.#focus.index : null,
        });
    }
}

/** A placeholder for a row that is being read. */
function placeholder() {
    return element("li", { class: "row placeholder", tabindex: "-1" },
        element("span", { class: "picture" }),
        element("span", { class: "row-words" }, element("span", { class: "row-head" }), hiddenText("Loading …")));
}

function removeRow(row) {
    dropPictures(row);
    row.remove();
}
