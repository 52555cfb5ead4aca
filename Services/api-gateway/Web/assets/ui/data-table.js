import { element } from "./dom.js";

/**
 * A table whose rows `show` replaces. `columns` are `{ name, cell }`: `cell(item)` returns a text or a node, and the
 * first column is the row's header. `nothing` is the text shown without rows.
 */
export class DataTable {
    #columns;
    #nothing;
    #body = element("tbody", {});
    element;

    constructor({ caption, columns, nothing }) {
        this.#columns = columns;
        this.#nothing = nothing;
        this.element = element("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": caption },
            element("table", {},
                element("caption", { class: "visually-hidden" }, caption),
                element("thead", {},
                    element("tr", {}, columns.map(({ name }) => element("th", { scope: "col" }, name)))),
                this.#body));
    }

    show(items) {
        const rows = items.map((item) => element("tr", {}, this.#columns.map(({ cell }, index) =>
            index === 0 ? element("th", { scope: "row" }, cell(item)) : element("td", {}, cell(item)))));
        if (rows.length === 0) {
            const cell = element("td", { colspan: this.#columns.length, class: "secondary" }, this.#nothing);
            rows.push(element("tr", {}, cell));
        }
        this.#body.replaceChildren(...rows);
    }
}
