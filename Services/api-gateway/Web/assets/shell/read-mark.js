import { api } from "./api.js";

/** How long an item has to be visible to count as seen, and how long marks are gathered, in milliseconds. */
const glance = 700;
const pause = 1_000;
/** The part of an item, or of the window, that has to be visible. */
const part = 0.6;

/**
 * Moves the person's read mark of a list to the newest item that they have seen. Only what was visible for a moment
 * counts; loading moves nothing.
 *
 * `path` is the API's, to which marks are sent. `markOf(item)` is the mark at an item, and `isAfter(mark, other)`
 * whether one mark is newer than another.
 */
export class ReadMark {
    #path;
    #markOf;
    #isAfter;
    #items = new WeakMap();
    #timers = new Map();
    #observer;
    #mark = null;
    #seen = null;
    #sending = null;

    constructor({ path, markOf, isAfter, signal }) {
        this.#path = path;
        this.#markOf = markOf;
        // Either mark may be missing.
        this.#isAfter = (mark, other) => Boolean(mark) && (!other || isAfter(mark, other));
        this.#observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#look(entry)),
            { threshold: [0, 0.2, 0.4, part, 0.8, 1] });
        signal.addEventListener("abort", () => {
            this.#observer.disconnect();
            for (const timer of this.#timers.values()) clearTimeout(timer);
            // What was seen just before the page is left counts, too.
            if (this.#sending !== null) this.#send();
        });
    }

    /** The mark that the list had when it was read. */
    set current(mark) {
        if (this.#isAfter(mark, this.#mark)) this.#mark = mark;
    }

    /**
     * Takes the mark over if another device has moved it beyond what was seen here. Returns whether it has. What was
     * seen here stays marked as new while the person reads.
     */
    follow(mark) {
        if (!this.#isAfter(mark, this.#mark) || !this.#isAfter(mark, this.#seen)) return false;
        this.#mark = mark;
        return true;
    }

    /** Whether an item is newer than the mark. */
    isNew(item) {
        return this.#isAfter(this.#markOf(item), this.#mark);
    }

    /** Moves the mark to an item at once, and takes it over. Throws a `Problem`. */
    async moveTo(item) {
        const mark = this.#markOf(item);
        await api.put(this.#path, mark);
        this.current = mark;
    }

    /** Notes that the person has seen an item. */
    note(item) {
        const mark = this.#markOf(item);
        if (!this.#isAfter(mark, this.#mark) || !this.#isAfter(mark, this.#seen)) return;
        this.#seen = mark;
        this.#sending ??= setTimeout(() => this.#send(), pause);
    }

    /** Watches whether the element of an item is seen. */
    observe(card, item) {
        this.#items.set(card, item);
        this.#observer.observe(card);
    }

    forget(card) {
        this.#observer.unobserve(card);
        this.#stop(card);
    }

    #look({ target, isIntersecting, intersectionRatio, intersectionRect, rootBounds }) {
        const isSeen = isIntersecting && (intersectionRatio >= part
            || intersectionRect.height >= part * (rootBounds?.height ?? innerHeight));
        if (!isSeen) return this.#stop(target);
        if (this.#timers.has(target)) return;
        this.#timers.set(target, setTimeout(() => {
            if (!document.hidden) this.note(this.#items.get(target));
        }, glance));
    }

    #stop(card) {
        clearTimeout(this.#timers.get(card));
        this.#timers.delete(card);
    }

    async #send() {
        clearTimeout(this.#sending);
        this.#sending = null;
        const mark = this.#seen;
        try {
            await api.put(this.#path, mark);
        } catch {
            // What is seen later moves the mark, too.
            if (this.#seen === mark) this.#seen = null;
        }
    }
}
