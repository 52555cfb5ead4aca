import { element } from "../ui/dom.js";
import { name, separated } from "../ui/list-row.js";
import { picture } from "../ui/picture.js";
import { addressOf, nameOf } from "../ui/person-names.js";

/**
 * A person in a list: picture, name, username, whether they follow the reader, and what `note(person)` returns.
 * `controls` are at the end of the row: each has an `element` and may have `show(person)`, as `FollowButton` does. The
 * name leads to the person's page, unless `hasLink` is false.
 */
export class PersonRow {
    element;
    #face = element("span", { class: "person-face" });
    #link;
    #text = element("p", { class: "secondary" });
    #note = element("p", { class: "secondary" });
    #makeNote;
    #controls;

    constructor(person, { note = () => null, controls = [], hasLink = true } = {}) {
        this.#link = element(hasLink ? "a" : "span", { class: "person-name" });
        this.#makeNote = note;
        this.#controls = controls;
        this.element = element("li", { class: "person-row" }, this.#face,
            element("div", { class: "person-words" }, element("p", {}, this.#link), this.#text, this.#note),
            element("div", { class: "person-controls" }, controls.map((control) => control.element)));
        this.show(person);
    }

    /** Shows the person as they are now. What has the focus keeps it. */
    show(person) {
        this.#face.replaceChildren(picture(person.picture, nameOf(person)));
        if (this.#link.localName === "a") this.#link.href = addressOf(person);
        this.#link.replaceChildren(name(nameOf(person)));
        this.#text.replaceChildren(...separated(
            [person.displayName && name(`@${person.username}`), person.followsMe && "Follows you"]));
        this.#note.replaceChildren(...[this.#makeNote(person)].flat().filter(Boolean));
        for (const line of [this.#text, this.#note]) line.hidden = line.textContent === "";
        for (const control of this.#controls) control.show?.(person);
    }

    focus(options) {
        this.element.querySelector("a, button")?.focus(options);
    }
}
