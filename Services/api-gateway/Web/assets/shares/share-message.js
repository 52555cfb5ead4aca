import { element, hiddenText } from "../ui/dom.js";
import { name } from "../ui/list-row.js";

/** How much of a long message a card shows at first: characters and lines. */
const mostCharacters = 280;
const mostLines = 6;

/** The message of a share. Of a long one it shows the beginning, and a button that shows the rest. */
export class ShareMessage {
    element;
    #text = element("p", { class: "share-message" });
    #button = element("button", {
        class: "button small", type: "button", "aria-expanded": "false", onclick: () => this.#press(),
    });
    #label;
    #message = "";
    #isWhole;
    #isExpanded;

    /** `label` is that of the song, for the button's name; with `isWhole` all of the message is always shown. */
    constructor({ label, isWhole }) {
        this.#label = label;
        [this.#isWhole, this.#isExpanded] = [isWhole, isWhole];
        this.element = element("div", { class: "share-words" }, this.#text, this.#button);
    }

    show(message) {
        this.#message = message;
        this.element.hidden = message === "";
        const beginning = beginningOf(message);
        const isLong = beginning !== null;
        // A text, and never a link: what a person wrote is data.
        this.#text.replaceChildren(name(isLong && !this.#isExpanded ? `${beginning} …` : message));
        this.#button.hidden = !isLong || this.#isWhole;
        this.#button.ariaExpanded = String(this.#isExpanded);
        this.#button.replaceChildren(this.#isExpanded ? "Show less" : "Show more",
            hiddenText(` of the message about ${this.#label}`));
    }

    #press() {
        this.#isExpanded = !this.#isExpanded;
        this.show(this.#message);
    }
}

/** The beginning of a long message, up to a whole word where there is one; `null` for a message that is short. */
function beginningOf(message) {
    const lines = message.split("\n").slice(0, mostLines).join("\n");
    const characters = [...lines];
    if (characters.length <= mostCharacters) return lines === message ? null : lines.trimEnd();
    const cut = characters.slice(0, mostCharacters).join("");
    const end = cut.search(/\s\S*$/);
    return end > mostCharacters / 2 ? cut.slice(0, end).trimEnd() : cut;
}
