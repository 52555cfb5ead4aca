import { element, freshID } from "./dom.js";

/**
 * Tabs above one panel, as the ARIA Authoring Practices describe them: the arrows, Home and End move between the tabs,
 * Enter and Space open one. `tabs` has their labels by name; `open(name)` fills `panel`.
 */
export class Tabs {
    element;
    panel;
    #buttons = new Map();
    #open;

    constructor({ label, tabs, current, open }) {
        const id = freshID("tabs");
        this.#open = open;
        this.panel = element("div", { id: `${id}-panel`, role: "tabpanel" });
        for (const [name, text] of Object.entries(tabs)) {
            this.#buttons.set(name, element("button", {
                type: "button", role: "tab", id: `${id}-${name}`, "aria-controls": `${id}-panel`,
                onclick: () => this.choose(name),
            }, text));
        }
        this.element = element("div", {
            class: "tabs", role: "tablist", "aria-label": label, onkeydown: (event) => this.#handleKey(event),
        }, [...this.#buttons.values()]);
        this.#mark(current);
    }

    /** Opens a tab, unless it is open. */
    choose(name) {
        if (this.#buttons.get(name).ariaSelected === "true") return;
        this.#mark(name);
        this.#open(name);
    }

    #mark(current) {
        for (const [name, button] of this.#buttons) {
            button.ariaSelected = String(name === current);
            button.tabIndex = name === current ? 0 : -1;
        }
        this.panel.setAttribute("aria-labelledby", this.#buttons.get(current).id);
    }

    #handleKey(event) {
        const all = [...this.#buttons.values()];
        const index = all.indexOf(event.target);
        const wanted = {
            ArrowRight: (index + 1) % all.length, ArrowLeft: (index + all.length - 1) % all.length,
            Home: 0, End: all.length - 1,
        }[event.key];
        if (index < 0 || wanted === undefined) return;
        event.preventDefault();
        all[wanted].focus();
    }
}
