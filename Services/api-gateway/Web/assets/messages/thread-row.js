import { element, hiddenText } from "../ui/dom.js";
import { clockTime, grouped } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { picture } from "../ui/picture.js";
import { spokenText } from "./message-item.js";
import { calledBy } from "./message-log.js";

/** How much of a message a row shows, in characters. */
const mostCharacters = 120;

/** The row of a thread: who it is with, the beginning of its newest message, and how many are new. */
export function threadRow({ id, person, last, unread, at, state }, { buttons = null } = {}) {
    const called = calledBy(person);
    return element("li", { class: unread > 0 ? "card thread-row unread" : "card thread-row" },
        picture(person?.picture ?? null, called),
        element("div", { class: "thread-words" },
            element("p", { class: "thread-title" },
                element("a", { href: `/threads/${id}` }, name(called)), unread > 0 && [" ", unreadMark(unread)]),
            last && element("p", { class: "thread-last" }, last.isMine && last.state === "shown" && "You: ",
                name(beginningOf(spokenText(last)))),
            state === "requested" && element("p", { class: "secondary" }, "Your request has no answer yet."),
            state === "request" && element("p", { class: "secondary" }, "Asks to write to you"),
            at && element("p", { class: "secondary" }, element("time", { datetime: at }, clockTime(at)))),
        buttons);
}

function unreadMark(count) {
    return element("span", { class: "unread-mark" },
        element("span", { "aria-hidden": "true" }, grouped(count)), hiddenText(` ${grouped(count)} new`));
}

function beginningOf(text) {
    const characters = [...text];
    return characters.length <= mostCharacters ? text : `${characters.slice(0, mostCharacters).join("").trimEnd()} …`;
}
