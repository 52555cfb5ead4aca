import { element } from "./dom.js";
import { messageFor, problemView } from "./problem-view.js";
import { VirtualList } from "./virtual-list.js";

/**
 * A virtual list with its column heads. It also shows that the list is loading, is empty or could not be read. Accepts
 * the options of `VirtualList`, and `columns`: the column heads in wide windows; `hasLead`: whether rows begin with a
 * number; `empty()`: what an empty list shows; `changed(total)`.
 */
export class ListView {
    element = element("div", { class: "list-view" });
    list;
    #heads = element("div", { class: "list-heads", "aria-hidden": "true" });
    #waiting = element("p", { class: "secondary list-waiting", role: "status" }, "Loading the list …");
    #error = element("div", { class: "list-error", role: "alert" });
    #empty;
    #signal;

    constructor({ columns = null, hasLead = false, empty, changed = () => {}, ...options }) {
        this.#empty = empty;
        this.#signal = options.signal;
        this.list = new VirtualList(options);
        this.list.addEventListener("change", () => {
            changed(this.list.total);
            this.#show();
        });
        this.list.addEventListener("problem", ({ detail }) => this.#fail(detail));
        this.columns = columns;
        this.#heads.classList.toggle("with-lead", hasLead);
        this.element.append(this.#waiting);
    }

    set columns(names) {
        this.#heads.replaceChildren(...(names ?? []).map((name, index) =>
            element("span", { class: `head head-${index}` }, name)));
        this.#heads.hidden = !names;
    }

    get total() {
        return this.list.total;
    }

    /** Shows the list from its beginning. Returns whether it is shown: another query may have come first. */
    async begin() {
        this.#error.replaceChildren();
        // Only an element in the page can be scrolled to and measured.
        if (!this.list.element.isConnected) this.element.append(this.list.element);
        try {
            return await this.list.begin();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return false;
            this.element.replaceChildren(problemView(problem, () => this.begin(), { level: 2 }));
            return false;
        }
    }

    /** Shows the empty list's notice again, which may have changed. */
    update() {
        if (this.list.total === 0) this.#show();
    }

    #show() {
        if (this.list.total === 0) return this.element.replaceChildren(this.#empty());
        // Elements that are not replaced keep the focus.
        if (this.list.element.previousSibling === this.#error) return;
        this.element.replaceChildren(this.#heads, this.#error, this.list.element);
    }

    #fail(problem) {
        // The banner of the shell shows a lost connection.
        if (this.#signal.aborted || problem.status === 401) return;
        this.#error.replaceChildren(element("p", { class: "field-error" }, messageFor(problem)),
            element("button", { class: "button small", type: "button", onclick: () => {
                this.#error.replaceChildren();
                this.list.retry();
            } }, "Retry"));
    }
}
