import { ReadMark } from "../shell/read-mark.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { nameOf } from "../ui/person-names.js";
import { messageFor } from "../ui/problem-view.js";
import { messageItems } from "./message-acts.js";
import { messageItem, spokenText } from "./message-item.js";

/** How far above the end the window may be to follow what arrives, in pixels. */
const slack = 240;

/** What a person in a thread is called; `null` for somebody who is gone. */
export function calledBy(person) {
    return person ? nameOf(person) : "Deleted person";
}

/** The messages of a thread (`ThreadMessages`), the newest at the bottom. */
export class MessageLog {
    element;
    #messages;
    #signal;
    #mark;
    #thread = null;
    /** `{ message, json, row }` by the ids of the messages, the oldest first. */
    #rows = new Map();
    /** The ids of the messages that arrived before the person's eyes, which are not marked as new. */
    #live = new Set();
    /** The rows of which it is watched whether they are seen. */
    #observed = new WeakSet();
    #list = element("ol", { class: "messages" });
    // What arrives is said by the page's own region for that, and what is read from before is not said.
    #log = element("div", { role: "log", "aria-live": "off" }, this.#list);
    #empty = element("p", { class: "secondary", hidden: true }, "Nobody has written yet.");
    #error = element("p", { class: "field-error", role: "alert" });
    #older = element("button", { class: "button more", type: "button", hidden: true, onclick: () => this.#readOlder() },
        "Load older messages");
    #news = element("div", { class: "thread-news", hidden: true },
        element("button", { class: "button primary", type: "button", onclick: () => this.#showNewest() },
            "Show new messages"));
    #readNote = element("p", { class: "message-read secondary" }, "Read");

    constructor(messages, { threadID, signal }) {
        this.#messages = messages;
        this.#signal = signal;
        this.#mark = new ReadMark({
            path: `/v1/threads/${threadID}/read-mark`, markOf: ({ number }) => ({ number }),
            isAfter: (mark, other) => mark.number > other.number, signal,
        });
        this.element = element("div", { class: "message-log" },
            this.#older, this.#error, this.#empty, this.#log, this.#news);
        messages.addEventListener("change", ({ detail }) => this.#thread && this.#change(detail.arrived), { signal });
        // What came into the window while it was hidden counts only now.
        document.addEventListener("visibilitychange", () => {
            if (document.hidden) return;
            this.#observed = new WeakSet();
            this.#observe();
        }, { signal });
        addEventListener("scroll", () => {
            if (isAtEnd()) this.#news.hidden = true;
        }, { signal, passive: true });
    }

    /** Shows the thread as it is now: who the other person is, and the marks. */
    show(thread) {
        const isFirst = this.#thread === null;
        this.#thread = thread;
        this.#log.ariaLabel = `Messages with ${calledBy(thread.person)}`;
        if (thread.readMark !== null) {
            if (isFirst) this.#mark.current = { number: thread.readMark };
            else this.#mark.follow({ number: thread.readMark });
        }
        this.#show();
        this.#observe();
    }

    /** Leads to the newest message. */
    showEnd() {
        scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    }

    #change(arrived) {
        const wasAtEnd = isAtEnd();
        for (const { id } of arrived) this.#live.add(id);
        this.#show();
        this.#observe();
        if (arrived.length === 0) return;
        const theirs = arrived.filter(({ isMine }) => !isMine);
        for (const message of theirs) announce(`${calledBy(this.#thread.person)}: ${spokenText(this.#shown(message))}`);
        if (wasAtEnd || theirs.length < arrived.length) this.showEnd();
        else this.#news.hidden = false;
    }

    /** A message as the reader may see it: of somebody who is gone, nothing is shown, also until it is read again. */
    #shown(message) {
        if (this.#thread.state !== "closed" || message.isMine || message.state !== "shown") return message;
        return { ...message, state: "hidden", text: null, song: null };
    }

    #show() {
        const focused = [...this.#rows].find(([, { row }]) => row.contains(document.activeElement))?.[0];
        const former = this.#rows;
        this.#rows = new Map(this.#messages.items.map((message) =>
            [message.id, this.#row(this.#shown(message), former.get(message.id))]));
        for (const [id, { row }] of former) {
            if (this.#rows.get(id)?.row === row) continue;
            this.#mark.forget(row);
            row.remove();
        }
        let next = this.#list.firstElementChild;
        for (const { row } of this.#rows.values()) {
            // Moving a row that is in its place would lose the focus.
            if (row === next) next = next.nextElementSibling;
            else this.#list.insertBefore(row, next);
        }
        this.#showReadNote();
        this.#older.hidden = !this.#messages.hasOlder;
        this.#empty.hidden = this.#rows.size > 0;
        this.#log.hidden = this.#rows.size === 0;
        if (focused && !this.#list.contains(document.activeElement)) {
            (this.#rows.get(focused)?.row ?? document.querySelector("main h1")).focus({ preventScroll: true });
        }
    }

    #row(message, known) {
        const author = message.isMine ? "You" : calledBy(this.#thread.person);
        const json = JSON.stringify([author, message]);
        if (known?.json === json) return known;
        const options = { author, signal: this.#signal, deleted: () => this.#delete(message) };
        const isNew = !message.isMine && message.state === "shown" && this.#thread.state === "open"
            && this.#mark.isNew(message) && !this.#live.has(message.id);
        const menu = messageItems(message, options) && (() => messageItems(message, options));
        return { message, json, row: messageItem(message, { author, isNew, menu }) };
    }

    /** The event that follows says the same. */
    #delete(message) {
        this.#messages.receive({ ...message, state: "deleted", text: null, song: null }, message.number);
    }

    /** Below the newest own message that the other person has read. */
    #showReadNote() {
        const { otherReadMark } = this.#thread;
        const last = [...this.#rows.values()].findLast(({ message }) =>
            message.isMine && otherReadMark !== null && message.number <= otherReadMark);
        if (!last) this.#readNote.remove();
        else if (this.#readNote.parentElement !== last.row) last.row.append(this.#readNote);
    }

    /** Watches whether what is new is seen. A request has no mark. */
    #observe() {
        if (this.#thread?.state !== "open") return;
        for (const { message, row } of this.#rows.values()) {
            if (message.isMine || !this.#mark.isNew(message) || this.#observed.has(row)) continue;
            this.#observed.add(row);
            this.#mark.forget(row);
            this.#mark.observe(row, message);
        }
    }

    async #readOlder() {
        if (this.#older.ariaDisabled === "true") return;
        this.#older.ariaDisabled = "true";
        this.#error.textContent = "";
        try {
            const count = await this.#messages.readOlder();
            announce(`${counted(count, "older message")}.`);
            if (this.#older.hidden) this.#list.firstElementChild?.focus({ preventScroll: true });
        } catch (problem) {
            if (!this.#signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        } finally {
            this.#older.ariaDisabled = "false";
        }
    }

    #showNewest() {
        this.#news.hidden = true;
        this.showEnd();
        this.#list.lastElementChild?.focus({ preventScroll: true });
    }
}

function isAtEnd() {
    return scrollY + innerHeight >= document.documentElement.scrollHeight - slack;
}
