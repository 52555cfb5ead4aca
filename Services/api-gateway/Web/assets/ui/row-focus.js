/**
 * The focus in a list of rows. Tab reaches one row, and leaves the list with the next press. In the list, the arrows,
 * Page Up, Page Down, Home and End move between rows; the arrows to the sides move between the controls of a row, which
 * are marked with `data-control`.
 */
export class RowFocus {
    /** The row that Tab reaches. */
    index = 0;
    #list;
    #options;
    #rows = new Map();

    /**
     * `count()` is the number of rows and `screenful()` how many of them the window shows. `show(index)` puts a row
     * into the page and returns it. `moved()` is called when the focus has moved.
     */
    constructor(list, options) {
        this.#list = list;
        this.#options = options;
        list.addEventListener("keydown", (event) => this.#handleKey(event));
        list.addEventListener("focusin", (event) => this.#handleFocus(event));
    }

    get isInside() {
        return this.#list.contains(document.activeElement);
    }

    /** Receives the rows that are in the page, by their indexes. */
    setRows(rows) {
        this.#rows = rows;
        // Tab reaches a row that the window shows, if the last one with the focus is far away.
        if (!rows.has(this.index) && rows.size > 0) this.index = [...rows.keys()][Math.floor(rows.size / 2)];
        for (const [index, { element: row }] of rows) {
            controls(row).forEach((control, position) => {
                const wanted = index === this.index && position === 0 ? 0 : -1;
                // Writing it again in every frame of scrolling takes time.
                if (control.getAttribute("tabindex") !== String(wanted)) control.tabIndex = wanted;
            });
        }
    }

    /** Moves the focus to the row, without scrolling. */
    focusRow() {
        const row = this.#rows.get(this.index)?.element;
        if (row) (controls(row)[0] ?? row).focus({ preventScroll: true });
    }

    #handleFocus({ target }) {
        const found = [...this.#rows].find(([, { element: row }]) => row.contains(target));
        if (!found) return;
        this.index = found[0];
        this.setRows(this.#rows);
        this.#options.moved();
    }

    #handleKey(event) {
        if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (event.key === "ArrowLeft" || event.key === "ArrowRight") return this.#moveWithinRow(event);
        const last = this.#options.count() - 1;
        const wanted = {
            ArrowDown: () => this.index + 1, ArrowUp: () => this.index - 1,
            PageDown: () => this.index + this.#options.screenful(),
            PageUp: () => this.index - this.#options.screenful(),
            Home: () => 0, End: () => last,
        }[event.key];
        if (!wanted) return;
        event.preventDefault();
        const index = Math.min(Math.max(0, wanted()), last);
        // The previous row stays in the page until the new one has the focus.
        this.#options.show(index);
        const row = this.#rows.get(index)?.element;
        if (!row) return;
        this.index = index;
        this.setRows(this.#rows);
        this.focusRow();
    }

    #moveWithinRow(event) {
        const row = this.#rows.get(this.index)?.element;
        const all = row ? controls(row) : [];
        const step = event.key === "ArrowRight" ? 1 : -1;
        const next = all[all.indexOf(document.activeElement) + step];
        if (!next) return;
        event.preventDefault();
        next.focus({ preventScroll: true });
    }
}

function controls(row) {
    return [...row.querySelectorAll("[data-control]")];
}
