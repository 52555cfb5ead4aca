import { element, freshID } from "./dom.js";

/** A labeled input with a hint and room for its error. */
export class FormField {
    #error;

    /** `tag` may be `textarea`. The other properties are the input's. */
    constructor({ name, label, hint = "", tag = "input", ...properties }) {
        const id = freshID(name);
        this.name = name;
        this.#error = element("p", { class: "field-error", id: `${id}-error`, role: "alert" });
        this.input = element(tag, {
            id, name, "aria-describedby": `${id}-hint ${id}-error`, oninput: () => this.fail(""), ...properties,
        });
        this.element = element("div", { class: "field" },
            element("label", { for: id }, label), this.input,
            element("p", { class: "hint", id: `${id}-hint` }, hint), this.#error);
    }

    get value() {
        return this.input.value.trim();
    }

    /** Shows what is wrong with the value; an empty text removes the error. */
    fail(sentence) {
        this.#error.textContent = sentence;
        if (sentence) this.input.setAttribute("aria-invalid", "true");
        else this.input.removeAttribute("aria-invalid");
    }

    focus() {
        this.input.focus();
    }
}

/** A field for a key or token. The browser conceals it, and does not suggest, correct or store it. */
export function secretField(properties) {
    const isLong = properties.tag === "textarea";
    return new FormField({
        ...(isLong ? { class: "concealed" } : { type: "password" }),
        autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...properties,
    });
}
