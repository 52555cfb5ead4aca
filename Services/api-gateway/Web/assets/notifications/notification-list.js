import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { EventStream } from "../shell/event-stream.js";
import { ReadMark } from "../shell/read-mark.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { emptyView, messageFor, problemView } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";
import { notificationRow, showNew } from "./notification-row.js";
import { SeenNotifications } from "./seen-notifications.js";

const itemsOfPage = 20;
/** The most pages that are read again to bring the list up to date. */
const mostPages = 10;
/** How long changes in quick succession are gathered before the list is read again, in milliseconds. */
const pause = 400;
const marks = {
    path: "/v1/notifications/read-mark", markOf: ({ number }) => ({ number }),
    isAfter: (mark, other) => mark.number > other.number,
};

/** The person's notifications, the latest first. It shows what arrives and what is gone at once. */
export class NotificationList {
    element = element("div", { class: "notification-list" });
    #signal;
    #mark;
    #seen;
    /** `{ item, json, row }` by the ids of the notifications, the latest first. */
    #rows = new Map();
    #list = element("ul", { class: "notifications", "aria-label": "Notifications" });
    #read = element("button", { class: "button small", type: "button", onclick: () => this.#readAll() },
        "Mark all as read");
    #error = element("div", { class: "list-error", role: "alert" });
    #more = element("button", { class: "button more", type: "button", hidden: true, onclick: () => this.#readOn() },
        "Load more");
    #cursor = null;
    #hasFailed = false;
    #isLoaded = false;
    #timer = null;
    /** Counts what was requested, since a later answer knows more. */
    #reading = 0;
    /** What has arrived while an answer was on its way, by the ids: a notification, or `null` for one that is gone. */
    #arrived = new Map();

    constructor({ signal }) {
        this.#signal = signal;
        this.#mark = new ReadMark({ ...marks, signal });
        this.#seen = new SeenNotifications({ signal });
        const stream = new EventStream({ signal });
        stream.addEventListener("open", () => this.#plan(), { signal });
        stream.addEventListener("notification", ({ detail }) => this.#receive(detail.id, detail), { signal });
        stream.addEventListener("notificationReadMark", ({ detail }) => this.#follow(detail.readMark), { signal });
        stream.addEventListener("gone", ({ detail: { kind, id } }) => {
            if (kind === "notification") this.#receive(id, null);
            // A name may have to disappear from a notification of several people.
            else if (kind === "person" || kind === "itemsOf") this.#plan();
        }, { signal });
        stream.addEventListener("reset", ({ detail }) => {
            if (!detail.kinds || detail.kinds.includes("notification")) this.#plan();
        }, { signal });
        connection.addEventListener("restored", () => this.#hasFailed ? this.begin() : this.#plan(), { signal });
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
    }

    /** Shows the list from its beginning. */
    async begin() {
        this.#hasFailed = false;
        this.element.replaceChildren(element("p", { class: "secondary", role: "status" }, "Loading …"));
        try {
            await this.#readAgain();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#hasFailed = true;
            this.element.replaceChildren(problemView(problem, () => this.begin(), { level: 2 }));
        }
    }

    #plan() {
        // What could not be read is read again by its own button.
        if (this.#hasFailed) return;
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            // What is shown stays if it cannot be read.
            this.#readAgain().catch(() => {});
        }, pause);
    }

    /** Reads as many notifications as are shown, from the beginning. Throws a `Problem`. */
    async #readAgain() {
        const wanted = this.#rows.size;
        await this.#request(async () => {
            const items = [];
            let answer = null;
            for (let page = 0; page < mostPages; page += 1) {
                answer = await this.#page(answer?.nextCursor ?? null);
                items.push(...answer.items);
                if (answer.nextCursor === null || items.length >= Math.max(1, wanted)) break;
            }
            return { items, answer };
        });
    }

    async #readOn() {
        if (this.#more.ariaDisabled === "true") return;
        this.#more.ariaDisabled = "true";
        this.#error.replaceChildren();
        const known = new Set(this.#rows.keys());
        try {
            const isAccepted = await this.#request(async () => {
                const answer = await this.#page(this.#cursor);
                return { items: [...this.#items, ...answer.items], answer };
            });
            if (!isAccepted) return;
            const added = [...this.#rows].filter(([id]) => !known.has(id));
            announce(`${counted(added.length, "more notification")}.`);
            if (this.#more.hidden) (added[0]?.[1].row.querySelector("a") ?? heading()).focus();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#error.replaceChildren(element("p", { class: "field-error" }, messageFor(problem)),
                element("button", { class: "button small", type: "button", onclick: () => this.#readOn() }, "Retry"));
        } finally {
            this.#more.ariaDisabled = "false";
        }
    }

    /** Shows what `read()` has read, unless something later was requested meanwhile. Returns whether it did. */
    async #request(read) {
        this.#reading += 1;
        const reading = this.#reading;
        this.#arrived.clear();
        const { items, answer } = await read();
        if (reading !== this.#reading || this.#signal.aborted) return false;
        this.#isLoaded = true;
        this.#cursor = answer.nextCursor;
        this.#mark.current = answer.readMark === null ? null : { number: answer.readMark };
        const all = new Map(items.map((item) => [item.id, item]));
        for (const [id, item] of this.#arrived) {
            if (!item) all.delete(id);
            else if (!(all.get(id)?.number > item.number)) all.set(id, item);
        }
        this.#show([...all.values()]);
        return true;
    }

    #page(cursor) {
        const query = new URLSearchParams({ limit: itemsOfPage, ...(cursor && { cursor }) });
        return api.get(`/v1/notifications?${query}`, { signal: this.#signal });
    }

    get #items() {
        return [...this.#rows.values()].map(({ item }) => item);
    }

    /** A notification has arrived or changed; without an `item`, it is gone. */
    #receive(id, item) {
        this.#arrived.set(id, item);
        if (!this.#isLoaded) return;
        const others = this.#items.filter((one) => one.id !== id);
        // One below the last that is shown follows with its page.
        const isOnLaterPage = item && this.#cursor !== null && !(item.number > others.at(-1)?.number);
        this.#show(item && !isOnLaterPage ? [...others, item] : others);
        if (item && this.#items[0] === item && this.#mark.isNew(item)) announce(item.title);
        if (others.length === 0 && !item && this.#cursor !== null) this.#plan();
    }

    // MARK: Showing

    /** Shows these notifications, the latest first. A row that stays keeps its element, and so the focus. */
    #show(items) {
        const sorted = items.sort((one, other) => other.number - one.number);
        const former = this.#rows;
        const focused = [...former.values()].findIndex(({ row }) => row.contains(document.activeElement));
        const focusedID = [...former.keys()][focused];
        this.#rows = new Map(sorted.map((item) => [item.id, this.#row(item, former.get(item.id))]));
        for (const [id, { row }] of former) {
            if (this.#rows.get(id)?.row === row) continue;
            this.#mark.forget(row);
            this.#seen.forget(row);
            row.remove();
        }
        let next = this.#list.firstElementChild;
        for (const { row } of this.#rows.values()) {
            // Moving a row that is in its place would lose the focus.
            if (row === next) next = next.nextElementSibling;
            else this.#list.insertBefore(row, next);
        }
        this.#more.hidden = this.#cursor === null;
        this.#showMarks();
        const isEmpty = sorted.length === 0 && this.#cursor === null;
        if (isEmpty) this.element.replaceChildren(empty());
        else if (!this.#list.isConnected) {
            this.element.replaceChildren(element("div", {}, this.#read), this.#list, this.#error, this.#more);
        }
        if (focused >= 0 && !this.#list.contains(document.activeElement)) this.#focusNear(focusedID, focused);
    }

    #row(item, known) {
        const json = JSON.stringify({ ...item, isRead: null });
        if (known?.json === json) return known;
        const row = notificationRow(item, { isNew: this.#mark.isNew(item), pressed: () => this.#mark.note(item) });
        this.#mark.observe(row, item);
        this.#seen.observe(row, item);
        return { item, json, row };
    }

    #showMarks() {
        let isAnyNew = false;
        for (const { item, row } of this.#rows.values()) {
            const isNew = this.#mark.isNew(item);
            isAnyNew ||= isNew;
            showNew(row, isNew);
        }
        if (!isAnyNew && this.#read === document.activeElement) heading().focus();
        this.#read.hidden = !isAnyNew;
    }

    /** Another device has moved the mark. */
    #follow(readMark) {
        if (readMark !== null && this.#mark.follow({ number: readMark })) this.#showMarks();
    }

    async #readAll() {
        const [latest] = this.#items;
        try {
            await this.#mark.moveTo(latest);
            this.#showMarks();
            announce("All notifications are marked as read.");
        } catch (problem) {
            if (!this.#signal.aborted && problem.status !== 401) toast(messageFor(problem));
        }
    }

    #focusNear(id, index) {
        const rows = [...this.#rows.values()];
        const near = this.#rows.get(id) ?? rows[Math.min(index, rows.length - 1)];
        (near?.row.querySelector("a") ?? heading()).focus({ preventScroll: true });
    }
}

function heading() {
    return document.querySelector("main h1");
}

function empty() {
    return emptyView({
        picture: "bell", title: "No notifications yet",
        text: "You are notified of messages, new followers and reactions, of concerts and releases, and when something needs you.",
        actions: [element("a", { class: "button", href: "/profile/notifications" }, "Choose your notifications")],
    });
}
