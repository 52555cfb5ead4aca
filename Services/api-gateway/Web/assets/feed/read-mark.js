import { api } from "../shell/api.js";

/** How long a card has to be visible to count as seen, and how long marks are gathered, in milliseconds. */
const glance = 700;
const pause = 1_000;
/** The part of a card, or of the window, that has to be visible. */
const part = 0.6;

/**
 * Moves the person's read mark to the newest item that they have seen. Only what was visible for a moment counts;
 * loading moves nothing.
 */
export class ReadMark {
    #items = new WeakMap();
    #timers = new Map();
    #observer;
    #mark = null;
    #seen = null;
    #sending = null;

    constructor({ signal }) {
        this.#observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#look(entry)),
            { threshold: [0, 0.2, 0.4, part, 0.8, 1] });
        signal.addEventListener("abort", () => {
            this.#observer.disconnect();
            for (const timer of this.#timers.values()) clearTimeout(timer);
            // What was seen just before the page is left counts, too.
            if (this.#sending !== null) this.#send();
        });
    }

    /** The mark that the feed had when it was read. */
    set current(mark) {
        if (isAfter(mark, this.#mark)) this.#mark = mark;
    }

    /**
     * Takes the mark over if another device has moved it beyond what was seen here. Returns whether it has. What was
     * seen here stays marked as new while the person reads.
     */
    follow(mark) {
        if (!isAfter(mark, this.#mark) || !isAfter(mark, this.#seen)) return false;
        this.#mark = mark;
        return true;
    }

    /** Whether an item is newer than the mark. */
    isNew(item) {
        return isAfter(markOf(item), this.#mark);
    }

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
            if (!document.hidden) this.#note(markOf(this.#items.get(target)));
        }, glance));
    }

    #stop(card) {
        clearTimeout(this.#timers.get(card));
        this.#timers.delete(card);
    }

    #note(mark) {
        if (!isAfter(mark, this.#mark) || !isAfter(mark, this.#seen)) return;
        this.#seen = mark;
        this.#sending ??= setTimeout(() => this.#send(), pause);
    }

    async #send() {
        clearTimeout(this.#sending);
        this.#sending = null;
        const mark = this.#seen;
        try {
            await api.put("/v1/feed/read-mark", mark);
        } catch {
            // What is seen later moves the mark, too.
            if (this.#seen === mark) this.#seen = null;
        }
    }
}

function markOf({ sortScore, number }) {
    return { score: sortScore, number };
}

/** Whether a mark is newer than another one, which may be missing. */
function isAfter(mark, other) {
    if (!mark) return false;
    if (!other) return true;
    return mark.score !== other.score ? mark.score > other.score : mark.number > other.number;
}
