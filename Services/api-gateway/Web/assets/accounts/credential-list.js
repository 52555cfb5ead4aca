import { announce } from "../shell/announcer.js";
import { api } from "../shell/api.js";
import { confirmed } from "../components/confirmation.js";
import { element, hiddenText } from "../components/dom.js";
import { problemView, wordsFor } from "../components/problem-view.js";

/** A list of what signs a person in, each with a button that ends it. */
export class CredentialList {
    #options;
    #list = element("ul", { class: "entries" });
    #error = element("p", { class: "field-error", role: "alert" });
    #heading;
    element;

    /**
     * `path` is where the items are; `name(item)` and `words(item)` describe one; `mayEnd(item)` says whether it can be
     * ended here; `action` and `question` are the button's words and what is asked first.
     */
    constructor(options) {
        this.#options = options;
        this.#heading = element("h2", { tabindex: "-1" }, options.title);
        this.element = element("section", { class: "card settings-part", "aria-label": options.title },
            this.#heading, element("p", { class: "secondary" }, options.lead), this.#error, this.#list);
        this.load();
    }

    async load() {
        const { path, signal } = this.#options;
        try {
            const { items } = await api.get(path, { signal });
            this.#list.replaceChildren(...items.map((item) => this.#entry(item)));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            this.#list.replaceChildren(
                element("li", {}, problemView(problem, () => this.load(), { level: 3 })));
        }
    }

    #entry(item) {
        const { name, words, mayEnd, action } = this.#options;
        return element("li", { class: "entry" },
            element("span", { class: "entry-words" },
                element("span", { class: "entry-title" }, name(item)),
                element("span", { class: "secondary" }, words(item))),
            mayEnd(item) && element("button", { class: "button small", type: "button", onclick: () => this.#end(item) },
                action, hiddenText(` ${name(item)}`)));
    }

    async #end(item) {
        const { path, signal, name, action, question, ended } = this.#options;
        const isMeant = await confirmed({ title: `${action}: ${name(item)}?`, words: question, action });
        if (!isMeant || signal.aborted) return;
        this.#error.textContent = "";
        try {
            await api.delete(`${path}/${encodeURIComponent(item.id)}`, { signal });
            await this.load();
            this.#heading.focus();
            announce(ended);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) this.#error.textContent = wordsFor(problem);
        }
    }
}
