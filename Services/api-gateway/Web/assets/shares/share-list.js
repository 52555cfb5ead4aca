import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { EventStream } from "../shell/event-stream.js";
import { element } from "../ui/dom.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { ShareCard } from "./share-card.js";

/** How long changes in quick succession are gathered before the list is read again, in milliseconds. */
const pause = 300;

/**
 * A list of shares that grows page by page, the newest first. `path` is the API's, `empty()` is shown in place of an
 * empty list, and `level` is the cards' headings'. `loaded(count)` is called when the number of cards is known, and
 * `failed(problem)` when the list could not be read, which it shows.
 */
export class ShareList {
    element = element("div", { class: "share-list" });
    #options;
    #cards = new Map();
    #list = element("div", { class: "share-cards" });
    #error = element("p", { class: "field-error", role: "alert" });
    #more = element("button", { class: "button more", type: "button", hidden: true, onclick: () => this.#readOn() },
        "Load more");
    #cursor = null;
    #timer = null;
    #reading = 0;

    constructor({ path, signal, empty, level = 2, loaded = () => {}, failed = () => {} }) {
        this.#options = { path, signal, empty, level, loaded, failed };
        const stream = new EventStream({ signal });
        for (const event of ["reset", "share"]) stream.addEventListener(event, () => this.#plan(), { signal });
        stream.addEventListener("gone", ({ detail: { kind, id } }) => {
            if (kind === "share") this.#remove(id);
            // Whoever shared it may have closed their profile.
            if (kind === "itemsOf" || kind === "person") this.#plan();
        }, { signal });
        connection.addEventListener("restored", () => this.element.querySelector(".notice-view") && this.begin(), { signal });
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
    }

    /** Shows the list from its beginning. */
    async begin() {
        if (this.#cards.size === 0) {
            this.element.replaceChildren(element("p", { class: "secondary", role: "status" }, "Loading …"));
        }
        try {
            await this.#read();
        } catch (problem) {
            if (this.#options.signal.aborted || problem.status === 401) return;
            this.element.replaceChildren(problemView(problem, () => this.begin(), { level: this.#options.level }));
            this.#options.failed(problem);
        }
    }

    #plan() {
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            // What is shown stays if it cannot be read.
            this.#read().catch(() => {});
        }, pause);
    }

    async #read() {
        this.#reading += 1;
        const reading = this.#reading;
        const answer = await this.#page(null, Math.min(100, Math.max(20, this.#cards.size)));
        // A later reading knows more.
        if (reading !== this.#reading) return;
        this.#cursor = answer.nextCursor;
        // The pinned one is the first, wherever it is among the others.
        const shares = answer.pinned
            ? [answer.pinned, ...answer.items.filter(({ id }) => id !== answer.pinned.id)] : answer.items;
        const ids = new Set(shares.map(({ id }) => id));
        const focused = document.activeElement;
        const hadFocus = this.#list.contains(focused);
        for (const id of this.#cards.keys()) if (!ids.has(id)) this.#drop(id);
        this.#place(shares.map((share) => this.#card(share).element));
        this.#show();
        // A card that moves or goes loses the focus.
        if (!hadFocus || this.#list.contains(document.activeElement)) return;
        (focused.isConnected ? focused : focusTarget(this.#list.firstElementChild)).focus();
    }

    /** Puts the cards into their order. */
    #place(cards) {
        let next = this.#list.firstElementChild;
        for (const card of cards) {
            if (card === next) next = next.nextElementSibling;
            else this.#list.insertBefore(card, next);
        }
    }

    async #readOn() {
        if (this.#more.ariaDisabled === "true") return;
        this.#more.ariaDisabled = "true";
        this.#error.textContent = "";
        try {
            const answer = await this.#page(this.#cursor, 20);
            this.#cursor = answer.nextCursor;
            const added = answer.items.filter(({ id }) => !this.#cards.has(id)).map((share) => this.#card(share).element);
            this.#list.append(...added);
            this.#show();
            added[0]?.querySelector(".card-title").focus();
        } catch (problem) {
            if (!this.#options.signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        } finally {
            this.#more.ariaDisabled = "false";
        }
    }

    #page(cursor, limit) {
        const { path, signal } = this.#options;
        return api.get(`${path}?${new URLSearchParams({ limit, ...(cursor && { cursor }) })}`, { signal });
    }

    #card(share) {
        const known = this.#cards.get(share.id);
        if (known) {
            known.show(share);
            return known;
        }
        const { signal, level } = this.#options;
        const card = new ShareCard(share, { signal, level, changed: (after) => this.#change(after, share) });
        this.#cards.set(share.id, card);
        return card;
    }

    #change(after, before) {
        if (after.gone) this.#remove(after.id);
        // Another share may have been pinned before.
        else if (after.pinnedUntil !== before.pinnedUntil) this.#plan();
    }

    #drop(id) {
        this.#cards.get(id)?.element.remove();
        this.#cards.delete(id);
    }

    #remove(id) {
        const card = this.#cards.get(id)?.element;
        if (!card) return;
        const neighbor = card.nextElementSibling ?? card.previousElementSibling;
        const hadFocus = card.contains(document.activeElement) || document.activeElement === document.body;
        this.#drop(id);
        this.#show();
        if (hadFocus) focusTarget(neighbor).focus();
    }

    #show() {
        const { empty, loaded } = this.#options;
        this.#more.hidden = this.#cursor === null;
        if (this.#cards.size === 0) this.element.replaceChildren(...[empty()].filter(Boolean));
        else if (!this.#list.isConnected) this.element.replaceChildren(this.#list, this.#error, this.#more);
        loaded(this.#cards.size);
    }
}

/** What gets the focus in place of a card that is gone: the title of another one, or the page. */
function focusTarget(card) {
    return card?.querySelector(".card-title") ?? document.getElementById("main");
}
