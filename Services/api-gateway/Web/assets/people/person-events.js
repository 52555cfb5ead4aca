import { EventStream } from "../shell/event-stream.js";

/** The changes that come in quick succession are followed by one reading, so many milliseconds after the first. */
const pause = 150;

/**
 * Follows what happens between the reader and others. `changed(person)` gets a person who has changed. `outdated` is
 * called when something may have changed that is not known in detail, with `isGone` if somebody is gone for the reader,
 * `isLess` if the reader may see less of somebody, and `isOpening` if no event said so, but the stream has opened.
 */
export function followPeople({ signal, changed = () => {}, outdated }) {
    const stream = new EventStream({ signal });
    let timer = null;
    let [isGone, isLess, isOpening] = [false, false, true];
    const plan = ({ type }) => {
        isOpening &&= type === "open";
        timer ??= setTimeout(() => {
            const change = { isGone, isLess, isOpening };
            [timer, isGone, isLess, isOpening] = [null, false, false, true];
            outdated(change);
        }, pause);
    };
    signal.addEventListener("abort", () => clearTimeout(timer));
    for (const event of ["open", "reset"]) stream.addEventListener(event, plan, { signal });
    stream.addEventListener("person", (event) => {
        changed(event.detail);
        plan(event);
    }, { signal });
    stream.addEventListener("gone", (event) => {
        const { kind } = event.detail;
        if (kind !== "person" && kind !== "itemsOf") return;
        isGone ||= kind === "person";
        // The profile has closed, or a follow has ended.
        isLess ||= kind === "itemsOf";
        plan(event);
    }, { signal });
}
