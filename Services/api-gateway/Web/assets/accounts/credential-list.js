import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { confirmed } from "../ui/confirmation.js";
import { element, hiddenText } from "../ui/dom.js";
import { messageFor, problemView } from "../ui/problem-view.js";

/** A person's API tokens, sessions or invitations, each with a button that ends it. */
export class CredentialList {
    #options;
    #list = element("ul", { class: "entries" });
    #error = element("p", { class: "field-error", role: "alert" });
    #heading;
    element;

    /**
     * `title` and `lead` introduce the list, and `nothing` is the text of an empty one. `path` is the API's collection.
     * `name(item)` and `text(item)` describe an item; `mayEnd(item)` tells whether it has a button. `action` is the
     * button's text, `question` the text of the confirmation, and `ended` the announcement afterwards.
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
            const entries = items.map((item) => this.#entry(item));
            const { nothing } = this.#options;
            if (entries.length === 0 && nothing) entries.push(element("li", { class: "secondary" }, nothing));
            this.#list.replaceChildren(...entries);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            this.#list.replaceChildren(
                element("li", {}, problemView(problem, () => this.load(), { level: 3 })));
        }
    }

    #entry(item) {
        const { name, text, mayEnd, action } = this.#options;
        return element("li", { class: "entry" },
            element("span", { class: "entry-text" },
                element("span", { class: "entry-title" }, name(item)),
                element("span", { class: "secondary" }, text(item))),
            mayEnd(item) && element("button", { class: "button small", type: "button", onclick: () => this.#end(item) },
                action, hiddenText(` ${name(item)}`)));
    }

    async #end(item) {
        const { path, signal, name, action, question, ended } = this.#options;
        const isMeant = await confirmed({ title: `${action}: ${name(item)}?`, text: question, action });
        if (!isMeant || signal.aborted) return;
        this.#error.textContent = "";
        try {
            await api.delete(`${path}/${encodeURIComponent(item.id)}`, { signal });
            await this.load();
            this.#heading.focus();
            announce(ended);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        }
    }
}
