import { element, hiddenText } from "../ui/dom.js";
import { clockTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { nameOf } from "../ui/person-names.js";
import { picture } from "../ui/picture.js";

/** The icons of kinds that nobody has caused. */
const pictures = {
    concertNews: "ticket", release: "album", syncNeedsMe: "alert", listReady: "playlist", reportDecided: "check",
};

/**
 * The row of a notification: who or what, text, time, and a link to the page that shows more. `pressed()` is called
 * when the person follows the link.
 */
export function notificationRow(notification, { isNew, pressed }) {
    const { people: [person], kind, title, body, path, at } = notification;
    const row = element("li", { class: "card notification" },
        person ? picture(person.picture, nameOf(person))
            : element("span", { class: "notification-icon" }, icon(pictures[kind] ?? "bell")),
        element("div", { class: "notification-words" },
            element("p", { class: "notification-title" },
                // It is shown nowhere else.
                path === "/notifications" ? name(title) : element("a", { href: path, onclick: pressed }, name(title))),
            body && element("p", {}, name(body)),
            element("p", { class: "secondary" }, element("time", { datetime: at }, clockTime(at)))));
    showNew(row, isNew);
    return row;
}

/** Shows whether a notification is new. */
export function showNew(row, isNew) {
    if (row.classList.contains("unread") === isNew) return;
    row.classList.toggle("unread", isNew);
    const title = row.querySelector(".notification-title");
    if (isNew) title.prepend(hiddenText("New: "));
    else title.querySelector(":scope > .visually-hidden").remove();
}
