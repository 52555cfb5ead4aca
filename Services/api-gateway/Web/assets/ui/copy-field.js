import { announce } from "./announcer.js";
import { element, freshID } from "./dom.js";
import { icon } from "./icons.js";

/** A field with an address that is shown only now, and a button that copies it. `focus()` selects the address. */
export class CopyField {
    element;
    #field;
    #label = element("span", {}, "Copy");

    /** `label` names the field, `hint` is below it, and `copied` is announced after copying. */
    constructor({ label, value, hint, copied }) {
        const id = freshID("copy-field");
        this.#field = element("input", {
            id, type: "text", readonly: true, value, autocomplete: "off", "aria-describedby": `${id}-hint`,
        });
        const copy = element("button", { class: "button", type: "button", onclick: () => this.#copy(copied) },
            icon("copy"), this.#label);
        this.element = element("div", { class: "field" }, element("label", { for: id }, label),
            element("div", { class: "joined" }, this.#field, copy),
            element("p", { class: "hint", id: `${id}-hint` }, hint));
    }

    focus() {
        this.#field.focus();
        this.#field.select();
    }

    async #copy(copied) {
        this.#field.select();
        try {
            await navigator.clipboard.writeText(this.#field.value);
            announce(copied);
            this.#label.textContent = "Copied";
        } catch {
            // Browsers allow it only on pages of HTTPS; the address is selected.
            announce("The address is selected. Copy it with your keyboard or the menu of your browser.");
        }
    }
}
