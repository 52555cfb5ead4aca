import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { EventStream } from "../shell/event-stream.js";
import { navigate } from "../shell/navigate.js";
import { poll } from "../shell/polling.js";
import { element } from "../ui/dom.js";
import { name } from "../ui/list-row.js";
import { addressOf } from "../ui/person-names.js";
import { picture } from "../ui/picture.js";
import { emptyView, problemView } from "../ui/problem-view.js";
import { Composer } from "./composer.js";
import { calledBy, MessageLog } from "./message-log.js";
import { requestButtons } from "./request-answer.js";
import { ThreadMessages } from "./thread-messages.js";

/** How long changes in quick succession are gathered before the thread is read again, in milliseconds. */
const pause = 150;
/** What is said in place of the form where nothing can be written, by the API's names. */
const closed = {
    waiting: (called) => `Your request has no answer yet. You can write again once ${called} accepts it.`,
    refused: (called) => `${called} does not receive messages from you.`,
    closed: () => "You can no longer write in this conversation.",
};

/** A thread: its messages, and the form that sends one, or what is there in its place. */
export class ThreadView {
    element;
    #id;
    #signal;
    #thread = null;
    #messages;
    #log;
    #composer;
    #face = element("span", { class: "person-face" });
    #heading = element("h1", { tabindex: "-1" }, "Messages");
    #content = element("div", { class: "thread-content" },
        element("p", { class: "secondary", role: "status" }, "Loading …"));
    #end = element("div", { class: "thread-end" });
    #shownEnd = null;
    #timer = null;
    /** Counts the events of the thread: what was requested before one knows less. */
    #events = 0;
    #hasFailed = false;
    #isGone = false;

    constructor(id, { signal }) {
        this.#id = id;
        this.#signal = signal;
        this.#messages = new ThreadMessages(id, { signal });
        this.#log = new MessageLog(this.#messages, { threadID: id, signal });
        this.#composer = new Composer({
            threadID: id, signal, outdated: () => this.#plan(),
            sent: (message) => this.#messages.receive(message, message.number),
        });
        this.element = element("div", { class: "narrow thread" },
            element("p", { class: "way" }, element("a", { href: "/threads" }, "← Messages")),
            element("div", { class: "thread-head" }, this.#face, this.#heading), this.#content);
        this.#follow();
    }

    /** Shows the thread from its end. */
    async begin() {
        this.#hasFailed = false;
        try {
            await this.#read();
            if (this.#signal.aborted || this.#isGone) return;
            this.#log.showEnd();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            if (problem.status === 404) return this.#showGone();
            this.#hasFailed = true;
            this.#content.replaceChildren(problemView(problem, () => this.begin(), { level: 2 }));
        }
    }

    #follow() {
        const signal = this.#signal;
        const stream = new EventStream({ signal });
        stream.addEventListener("open", () => this.#plan(), { signal });
        stream.addEventListener("thread", ({ detail }) => {
            if (detail.id === this.#id) this.#receive(detail);
        }, { signal });
        stream.addEventListener("message", ({ detail, seq }) => {
            if (detail.threadId !== this.#id) return;
            this.#messages.receive(detail, seq);
            if (detail.isMine) this.#composer.receive(detail);
        }, { signal });
        stream.addEventListener("gone", ({ detail: { kind, id } }) => {
            if (kind === "thread" && id === this.#id) this.#showGone();
            else if (kind === "person") this.#plan();
        }, { signal });
        // Before the first message, no event reports the thread: a follow changes who may write, and so may the person.
        stream.addEventListener("person", ({ detail }) => {
            if (detail.id === this.#thread?.person?.id) this.#plan();
        }, { signal });
        poll(() => this.#thread?.state === "new" && this.#plan(), { signal });
        stream.addEventListener("reset", ({ detail: { kinds } }) => {
            if (!kinds || kinds.includes("thread") || kinds.includes("message")) this.#plan();
        }, { signal });
        connection.addEventListener("restored", () => this.#hasFailed ? this.begin() : this.#plan(), { signal });
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
    }

    #receive(thread) {
        this.#events += 1;
        const isReset = this.#thread && thread.resetSeq > this.#thread.resetSeq;
        if (this.#thread) this.#show(thread);
        // A request whose message was not shown until now, or a thread that shows more or less of its messages.
        if (isReset || this.#isGone) this.#plan();
    }

    #plan() {
        if (this.#hasFailed || (!this.#thread && !this.#isGone)) return;
        this.#timer ??= setTimeout(() => {
            this.#timer = null;
            this.#read().catch((problem) => {
                // What is shown stays if it cannot be read.
                if (problem.status === 404 && !this.#signal.aborted) this.#showGone();
            });
        }, pause);
    }

    async #read() {
        const events = this.#events;
        const [thread] = await Promise.all([
            api.get(`/v1/threads/${this.#id}`, { signal: this.#signal }), this.#messages.read()]);
        if (this.#signal.aborted) return;
        // An event that has arrived since tells more.
        this.#show(this.#thread && events !== this.#events ? this.#thread : thread);
        for (const message of this.#messages.items) if (message.isMine) this.#composer.receive(message);
    }

    #show(thread) {
        this.#thread = thread;
        this.#isGone = false;
        const { person } = thread;
        const called = calledBy(person);
        this.#face.replaceChildren(picture(person?.picture ?? null, called));
        const isLinked = person && thread.state !== "blocked";
        const shown = `${called}\n${isLinked ? addressOf(person) : ""}`;
        if (this.#heading.dataset.shown !== shown) {
            this.#heading.dataset.shown = shown;
            this.#heading.replaceChildren(isLinked
                ? element("a", { class: "person-name", href: addressOf(person) }, name(called)) : name(called));
            document.title = `${called} · Backline`;
        }
        this.#log.show(thread);
        this.#showEnd(thread);
        if (!this.#log.element.isConnected) this.#content.replaceChildren(this.#log.element, this.#end);
    }

    /** Shows the form, or what is there in its place. The form stays while it can be used. */
    #showEnd(thread) {
        const { state, writing, person } = thread;
        const called = calledBy(person);
        const isOpen = state !== "request" && ["free", "request"].includes(writing);
        const kind = JSON.stringify([isOpen ? "open" : state === "request" ? state : [state, writing], called]);
        if (isOpen) {
            const note = writing === "request"
                ? `This is a request: ${called} has to accept it before you can write again.` : "";
            this.#composer.show({ person, note });
        }
        if (kind === this.#shownEnd) return;
        const hadFocus = this.#end.contains(document.activeElement);
        this.#shownEnd = kind;
        this.#end.replaceChildren(...isOpen ? [this.#composer.element]
            : state === "request" ? this.#request(thread) : this.#closed(thread));
        if (!hadFocus) return;
        if (isOpen) this.#composer.focus();
        else this.#heading.focus({ preventScroll: true });
    }

    #request(thread) {
        const called = calledBy(thread.person);
        return [
            element("h2", {}, name(called), " asks to write to you"),
            element("p", { class: "secondary" },
                "They do not learn that you have read this. You can write to each other once you accept."),
            requestButtons(thread, {
                signal: this.#signal, failed: () => this.#plan(),
                accepted: () => this.#plan(), declined: () => navigate("/threads/requests"),
            }),
        ];
    }

    #closed({ state, writing, person }) {
        if (state === "blocked") {
            return [
                element("p", { class: "secondary", role: "status" },
                    `You have blocked ${calledBy(person)}. You can read this conversation, but not write in it.`),
                element("div", { class: "detail-buttons" },
                    element("a", { class: "button", href: "/people/blocked" }, "Blocked people")),
            ];
        }
        const sentence = closed[writing] ?? closed.closed;
        return [element("p", { class: "secondary", role: "status" }, sentence(calledBy(person)))];
    }

    #showGone() {
        this.#isGone = true;
        this.#thread = null;
        this.#shownEnd = null;
        const hadFocus = this.#content.contains(document.activeElement);
        this.#content.replaceChildren(emptyView({
            picture: "message", title: "There is no such conversation",
            text: "It may have been a request that was withdrawn or declined, or the address may be mistyped.",
            actions: [element("a", { class: "button primary", href: "/threads" }, "Go to your messages")],
        }));
        this.#face.replaceChildren();
        this.#heading.replaceChildren("Messages");
        delete this.#heading.dataset.shown;
        document.title = "Messages · Backline";
        if (hadFocus) this.#heading.focus({ preventScroll: true });
    }
}
