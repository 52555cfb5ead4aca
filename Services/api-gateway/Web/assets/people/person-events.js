import { EventStream } from "../shell/event-stream.js";

/** The changes that come in quick succession are followed by one reading, so many milliseconds after the first. */
const pause = 150;

/**
 * Follows what happens between the reader and others. `changed(person)` gets a person who has changed. `outdated` is
 * called when something may have changed that is not known in detail, with `isGone` if somebody is gone for the reader,
 * and `isLess` if the reader may see less of somebody.
 */
export function followPeople({ signal, changed = () => {}, outdated }) {
    const stream = new EventStream({ signal });
    let timer = null;
    let [isGone, isLess] = [false, false];
    const plan = () => {
        timer ??= setTimeout(() => {
            const change = { isGone, isLess };
            [timer, isGone, isLess] = [null, false, false];
            outdated(change);
        }, pause);
    };
    signal.addEventListener("abort", () => clearTimeout(timer));
    for (const event of ["open", "reset"]) stream.addEventListener(event, plan, { signal });
    stream.addEventListener("person", ({ detail }) => {
        changed(detail);
        plan();
    }, { signal });
    stream.addEventListener("gone", ({ detail: { kind } }) => {
        if (kind !== "person" && kind !== "itemsOf") return;
        isGone ||= kind === "person";
        // The profile has closed, or a follow has ended.
        isLess ||= kind === "itemsOf";
        plan();
    }, { signal });
}
