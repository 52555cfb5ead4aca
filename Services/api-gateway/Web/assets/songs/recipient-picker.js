import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element, freshID } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { nameOf } from "../ui/person-names.js";
import { picture } from "../ui/picture.js";
import { messageFor } from "../ui/problem-view.js";

/** How long the search waits for the next keystroke, in milliseconds. */
const pause = 250;
/** The most people that are shown. */
const most = 20;
/** What a message to somebody leads to, by the API's names. */
const notes = {
    request: "Has to accept your request first", waiting: "Has not answered your request yet",
};

/**
 * A field of a form (`savingForm`) that asks for a person to write to. Those to whom the reader writes most come first.
 * `chosen` is the API's recipient, or `null`.
 */
export class RecipientPicker {
    name = "to";
    chosen = null;
    element;
    input;
    #signal;
    #people = element("div", { class: "recipients" });
    #status = element("p", { class: "secondary", role: "status" }, "Loading …");
    #error;
    #asked = null;
    #timer = null;
    #group = freshID("recipient");

    constructor({ signal }) {
        this.#signal = signal;
        const id = freshID("recipients");
        this.#error = element("p", { class: "field-error", id: `${id}-error`, role: "alert" });
        this.input = element("input", {
            type: "search", id, autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: "100",
            placeholder: "Search by name",
            "aria-describedby": `${id}-error`, oninput: () => this.#wait(),
            // It would send the song.
            onkeydown: (event) => event.key === "Enter" && event.preventDefault(),
        });
        this.element = element("fieldset", { class: "field" },
            element("legend", { class: "visually-hidden" }, "To"),
            element("label", { for: id }, "To"), this.input, this.#people, this.#status, this.#error);
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
        this.#search();
    }

    /** Shows what is wrong with the choice; an empty text removes the error. */
    fail(sentence) {
        this.#error.textContent = sentence;
    }

    focus() {
        (this.#people.querySelector("input:checked, input:enabled") ?? this.input).focus();
    }

    #wait() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#search(), pause);
    }

    async #search() {
        const text = this.input.value.trim();
        if (text === this.#asked) return;
        const isFirst = this.#asked === null;
        this.#asked = text;
        try {
            const query = new URLSearchParams({ limit: most, ...(text && { q: text }) });
            const { items } = await api.get(`/v1/me/recipients?${query}`, { signal: this.#signal });
            if (text !== this.#asked) return;
            this.#show(items);
            if (!isFirst && items.length > 0) announce(`${counted(items.length, "person", "people")}.`);
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401 || text !== this.#asked) return;
            this.#asked = null;
            this.#status.replaceChildren(`${messageFor(problem)} `, element("button", {
                class: "button small", type: "button", onclick: () => this.#search(),
            }, "Retry"));
        }
    }

    #show(items) {
        // Whoever is chosen stays, also when the search no longer finds them.
        const isListed = (recipient) => items.some(({ person }) => person.id === recipient.person.id);
        if (this.chosen && !isListed(this.chosen)) items = [this.chosen, ...items];
        this.#people.replaceChildren(...items.map((recipient) => this.#choice(recipient)));
        this.#status.replaceChildren(...(items.length > 0 ? [] : [
            this.#asked ? "Nobody found among your conversations and the people you follow. "
                : "You can send songs to people you follow or have a conversation with. ",
            element("a", { href: "/people" }, "Find people"),
        ]));
        this.#people.hidden = items.length === 0;
    }

    #choice(recipient) {
        const { person, writing } = recipient;
        const isPossible = ["free", "request"].includes(writing);
        const input = element("input", {
            type: "radio", name: this.#group, value: person.username, disabled: !isPossible,
            checked: this.chosen?.person.id === person.id, onchange: () => {
                this.chosen = recipient;
                this.fail("");
            },
        });
        const details = [person.displayName && `@${person.username}`, notes[writing]].filter(Boolean);
        return element("label", { class: "recipient" }, input, picture(person.picture, nameOf(person)),
            element("span", { class: "recipient-words" }, element("span", {}, name(nameOf(person))),
                details.map((text) => element("span", { class: "secondary" }, name(text)))));
    }
}
