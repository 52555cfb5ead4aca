import { element } from "./dom.js";

/**
 * A table whose rows `show` replaces. `columns` are `{ name, cell }`: `cell(item)` returns a text or a node, and the
 * first column is the row's header. `nothing` is the text shown without rows.
 *
 * Where its columns do not fit, each row stands as a list of its cells, with the names of their columns. The elements
 * have their roles as attributes, since browsers forget those of a table that is laid out otherwise.
 */
export class DataTable {
    #columns;
    #nothing;
    #body = element("tbody", { role: "rowgroup" });
    #table;
    element;

    constructor({ caption, columns, nothing }) {
        this.#columns = columns;
        this.#nothing = nothing;
        this.#table = element("table", { role: "table" },
            element("caption", { class: "visually-hidden" }, caption),
            element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, columns.map(({ name }) =>
                element("th", { scope: "col", role: "columnheader" }, name)))),
            this.#body);
        this.element = element("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": caption },
            this.#table);
        // In a frame of its own, since it changes the height that is observed. The observer goes with the element.
        new ResizeObserver(() => requestAnimationFrame(() => this.#fit())).observe(this.element);
    }

    show(items) {
        const rows = items.map((item) => element("tr", { role: "row" }, this.#columns.map(({ name, cell }, index) =>
            index === 0 ? element("th", { scope: "row", role: "rowheader" }, cell(item))
                : element("td", { role: "cell", "data-column": name }, cell(item)))));
        if (rows.length === 0) {
            const properties = { colspan: this.#columns.length, role: "cell", class: "secondary" };
            rows.push(element("tr", { role: "row" }, element("td", properties, this.#nothing)));
        }
        this.#body.replaceChildren(...rows);
        this.#fit();
    }

    /** Takes the first layout that fits: plain; with very long names that break; each row as a list. */
    #fit() {
        for (const layout of ["", "breaking", "stacked"]) {
            this.#table.className = layout;
            if (this.#table.scrollWidth <= this.element.clientWidth) return;
        }
    }
}
