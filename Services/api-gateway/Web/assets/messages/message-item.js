import { sentSong } from "../songs/song.js";
import { songRow } from "../songs/song-row.js";
import { element, hiddenText } from "../ui/dom.js";
import { clockTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { openMenu } from "../ui/menu.js";

/** What is said of messages without a text, by the API's states. */
const missing = {
    deleted: "This message was deleted.", hidden: "This message is no longer available.",
    unreadable: "This message cannot be read, since this Backline no longer has its key.",
};

/** The text of a message in one line, for a list or for screen readers. */
export function spokenText({ isMine, state, text, song }) {
    if (state === "deleted" && isMine) return "You deleted this message.";
    if (state !== "shown") return missing[state] ?? missing.hidden;
    const sent = song && `${isMine ? "You sent" : "Sent"} a song: ${song.title}`;
    return [sent, text?.replaceAll(/\s+/g, " ")].filter(Boolean).join(" · ");
}

/**
 * A message of a thread. `author` is what its sender is called, and `menu()` returns the items of its menu, or `null`
 * if it has none.
 */
export function messageItem(message, { author, isNew, menu }) {
    const { isMine, state, text, song, at } = message;
    const classes = ["message", isMine && "mine", isNew && "unread", state !== "shown" && "gone"].filter(Boolean);
    return element("li", { class: classes.join(" "), tabindex: "-1" },
        element("div", { class: "message-head" },
            element("p", { class: "secondary" }, isNew && hiddenText("New: "),
                name(author), " · ", element("time", { datetime: at }, clockTime(at))),
            menu && menuButton(author, at, menu)),
        state === "shown" ? [
            // A text, and never a link: what a person wrote is data.
            text && element("p", { class: "message-text", dir: "auto" }, text),
            song && element("ul", { class: "rows share-song", "aria-label": "The song" }, songRow(sentSong(message))),
        ] : element("p", { class: "message-missing" }, spokenText(message)));
}

function menuButton(author, at, menu) {
    const label = `Actions for the message of ${author}, ${clockTime(at)}`;
    return element("button", {
        class: "icon-button", type: "button", "aria-haspopup": "menu", "aria-expanded": "false", "aria-label": label,
        onclick: ({ currentTarget }) => openMenu({ label, items: menu(), at: currentTarget, opener: currentTarget }),
    }, icon("more"));
}
