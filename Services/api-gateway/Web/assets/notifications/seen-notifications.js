import { acknowledge } from "../shell/shown-notifications.js";

/** The most notifications of one report, and how long they are gathered for it, in milliseconds. */
const most = 100;
const pause = 200;
/** The part of a row that has to be visible. */
const part = 0.6;

/** Acknowledges the notifications of a list as soon as the person can see them, so that they are not pushed. */
export class SeenNotifications {
    /** The notifications that are in the window, by their rows. */
    #inWindow = new Map();
    #items = new WeakMap();
    #waiting = new Set();
    #timer = null;
    #observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#look(entry)),
        { threshold: part });

    constructor({ signal }) {
        document.addEventListener("visibilitychange", () => this.#noteAll(), { signal });
        signal.addEventListener("abort", () => this.#observer.disconnect());
    }

    observe(row, item) {
        this.#items.set(row, item);
        this.#observer.observe(row);
    }

    forget(row) {
        this.#observer.unobserve(row);
        this.#inWindow.delete(row);
    }

    #look({ target, isIntersecting }) {
        if (!isIntersecting) return this.#inWindow.delete(target);
        this.#inWindow.set(target, this.#items.get(target));
        this.#note(this.#items.get(target));
    }

    #noteAll() {
        for (const item of this.#inWindow.values()) this.#note(item);
    }

    #note(item) {
        if (document.hidden || item.isRead) return;
        this.#waiting.add(item);
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            const items = [...this.#waiting].slice(-most);
            this.#waiting.clear();
            acknowledge(items);
        }, pause);
    }
}
