import { element, hiddenText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { api } from "./api.js";
import { EventStream } from "./event-stream.js";
import { unreadMark } from "./unread-mark.js";

/** The most messages that are shown as a number. */
const most = 99;
/** How long changes in quick succession are gathered before the numbers are read again, in milliseconds. */
const pause = 300;

/** How many messages and requests are new to the person, at this moment. Dispatches `change`. */
class UnreadMessages extends EventTarget {
    #answer = null;
    #timer = null;
    #reading = 0;

    /** The number of new messages, which the header shows. */
    get count() {
        return Math.min(most, this.#answer?.messages ?? 0);
    }

    get isMore() {
        return (this.#answer?.messages ?? 0) > most;
    }

    /** The number of requests without an answer. They disturb nobody, so that only the page of messages shows it. */
    get requests() {
        return this.#answer?.requests ?? 0;
    }

    /** Counts for the person who is signed in, until `signal` is aborted. */
    follow({ signal }) {
        const plan = () => {
            this.#timer ??= setTimeout(() => {
                this.#timer = null;
                this.#read(signal);
            }, pause);
        };
        const stream = new EventStream({ signal });
        for (const event of ["open", "thread"]) stream.addEventListener(event, plan, { signal });
        stream.addEventListener("gone", ({ detail: { kind } }) => {
            if (["thread", "person"].includes(kind)) plan();
        }, { signal });
        stream.addEventListener("reset", ({ detail }) => {
            if (!detail.kinds || detail.kinds.includes("thread")) plan();
        }, { signal });
        signal.addEventListener("abort", () => {
            clearTimeout(this.#timer);
            this.#timer = null;
            this.#show(null);
        });
        // Also where there is no stream, since the person has too many of them.
        plan();
    }

    async #read(signal) {
        this.#reading += 1;
        const reading = this.#reading;
        try {
            const answer = await api.get("/v1/threads/unread", { signal });
            // A later answer knows more.
            if (!signal.aborted && reading === this.#reading) this.#show(answer);
        } catch {
            // The pages work without the numbers. They are read again when the stream has opened again.
        }
    }

    #show(answer) {
        this.#answer = answer;
        this.dispatchEvent(new Event("change"));
    }
}

export const unreadMessages = new UnreadMessages();

/** The link to the messages, in the header of every page. */
export const messagesLink = element("a", { class: "bell", href: "/threads" },
    icon("message"), hiddenText("Messages"), unreadMark(unreadMessages));
