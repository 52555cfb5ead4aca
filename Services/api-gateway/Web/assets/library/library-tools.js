import { element, freshID } from "../ui/dom.js";
import { grouped } from "../ui/formats.js";

/** How long the search waits for the next keystroke, in milliseconds. */
const pause = 450;

/** The search, the filter and the order above a list. `changed(values)` gets `source`, `text` or `sort`. */
export class LibraryTools {
    element;
    #counts = new Map();
    #search;
    #timer = null;
    #changed;

    constructor(query, { signal, changed }) {
        this.#changed = changed;
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
        this.element = element("div", { class: "library-tools" },
            this.#searchForm(query), query.sort && this.#order(query), this.#filter(query));
    }

    /** Writes the number of items of each source beside its name. */
    count(numbers) {
        for (const [source, count] of this.#counts) {
            if (Number.isFinite(numbers[source])) count.textContent = grouped(numbers[source]);
        }
    }

    /** Shows a query that was not chosen with these tools. */
    reset({ source, text }) {
        clearTimeout(this.#timer);
        this.#search.value = text;
        this.element.querySelector(`input[value="${source}"]`).checked = true;
    }

    /** Drops a pending search when the tools leave the page. */
    end() {
        clearTimeout(this.#timer);
    }

    focus() {
        this.#search.focus();
    }

    #searchForm({ text, definition }) {
        const id = freshID("library-search");
        this.#search = element("input", {
            type: "search", id, value: text, placeholder: definition.hint, autocomplete: "off", autocapitalize: "none",
            spellcheck: "false", maxlength: "200", enterkeyhint: "search",
            oninput: () => this.#wait(pause),
        });
        return element("form", { role: "search", class: "field library-search", onsubmit: (event) => {
            event.preventDefault();
            this.#wait(0);
        } }, element("label", { for: id }, `Search ${definition.label.toLowerCase()}`), this.#search);
    }

    #wait(time) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#changed({ text: this.#search.value.trim() }), time);
    }

    #filter({ source: chosen, definition }) {
        return element("fieldset", { class: "segments library-sources" },
            element("legend", { class: "visually-hidden" }, "Source"),
            Object.entries(definition.sources).map(([source, label]) => {
                const count = element("span", { class: "segment-count" });
                this.#counts.set(source, count);
                return element("label", {},
                    element("input", {
                        type: "radio", name: "source", value: source, checked: source === chosen,
                        onchange: () => this.#changed({ source }),
                    }),
                    element("span", {}, label, " ", count));
            }));
    }

    #order({ sort: chosen, definition }) {
        const id = freshID("library-sort");
        return element("div", { class: "field library-sort" },
            element("label", { for: id }, "Sort by"),
            element("select", { id, onchange: (event) => this.#changed({ sort: event.currentTarget.value }) },
                Object.entries(definition.sorts).map(([sort, label]) =>
                    element("option", { value: sort, selected: sort === chosen }, label))));
    }
}
