import { concertRow } from "./concert-row.js";
import { element, freshID } from "../ui/dom.js";

/** Concerts under the headings of a grouping. New concerts are appended; the elements of the others stay. */
export class ConcertList {
    element = element("div");
    #searchID;
    #grouping = null;
    #shown = 0;
    #group = null;

    constructor(searchID) {
        this.#searchID = searchID;
    }

    get count() {
        return this.#shown;
    }

    clear() {
        this.element.replaceChildren();
        this.#shown = 0;
        this.#group = null;
    }

    /** Shows the first `count` of the concerts. Returns the element of the first that was not shown before. */
    show(concerts, grouping, count) {
        if (grouping !== this.#grouping) this.clear();
        this.#grouping = grouping;
        const added = grouping.sorted(concerts).slice(this.#shown, count);
        let first = null;
        for (const concert of added) {
            const row = concertRow(concert, this.#searchID);
            first ??= row;
            this.#listFor(concert).append(row);
        }
        this.#shown += added.length;
        return first;
    }

    #listFor(concert) {
        const key = this.#grouping.key(concert);
        if (this.#group?.key !== key) this.#group = { key, list: this.#begin(concert) };
        return this.#group.list;
    }

    #begin(concert) {
        const id = freshID("group");
        const rank = this.#grouping.rank(concert);
        const list = element("ul", { class: "shows" });
        this.element.append(element("section", { class: "group", "aria-labelledby": id },
            element("h2", { id },
                rank && element("span", { class: "rank", "aria-hidden": "true" }, rank),
                this.#grouping.heading(concert)),
            list));
        return list;
    }
}
