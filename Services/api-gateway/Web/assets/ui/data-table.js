import { element } from "./dom.js";

/**
 * A table whose rows `show` replaces. `columns` are `{ name, cell }`: `cell(item)` returns a text or a node, and the
 * first column is the row's header. `nothing` is the text shown if there are no rows.
 *
 * If its columns do not fit, each row is shown as a list of its cells, with the names of their columns. The elements
 * have explicit roles, since browsers drop the roles of a table that is laid out differently.
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
        // In its own frame, since fitting changes the observed height. The observer is collected with the element.
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

    /** Uses the first layout that fits: plain; breaking very long names; each row as a list. */
    #fit() {
        for (const layout of ["", "breaking", "stacked"]) {
            this.#table.className = layout;
            if (this.#table.scrollWidth <= this.element.clientWidth) return;
        }
    }
}
