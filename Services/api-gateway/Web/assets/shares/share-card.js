import { whenUsed } from "../shell/when-used.js";
import { songRow } from "../songs/song-row.js";
import { songLabel } from "../songs/song-parts.js";
import { element, freshID } from "../ui/dom.js";
import { clockTime, longDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { openMenu } from "../ui/menu.js";
import { addressOf, nameOf } from "../ui/person-names.js";
import { picture } from "../ui/picture.js";
import { Reactions } from "./reactions.js";
import { ownShareItems } from "./share-acts.js";
import { ShareMessage } from "./share-message.js";
import { sharedSong } from "./shared-song.js";

/**
 * A shared song: who shared it and when, the message, the song's row, and the reactions. `further()` returns more items
 * of the card's menu, and `changed(share)` gets the share after the person changed it; it is `{ gone: true }` once they
 * took it back. `level` is the heading's; `isWhole` shows a long message whole.
 */
export class ShareCard {
    element;
    #share;
    #options;
    #pinned = element("p", { class: "share-pinned secondary", hidden: true });
    #message;
    #songs;
    #reactions;

    constructor(share, { signal, further = () => [], changed = () => {}, level = 2, isWhole = false }) {
        this.#options = { signal, further, changed };
        this.#share = share;
        const { sender, at, isMine } = share;
        const song = sharedSong(share);
        const heading = freshID("share");
        this.#message = new ShareMessage({ label: songLabel(song), isWhole });
        this.#reactions = new Reactions(share, { label: songLabel(song), changed: (after) => this.#become(after) });
        this.#songs = element("ul", { class: "rows share-song", "aria-label": "The song" },
            songRow(song, { from: isMine ? null : nameOf(sender) }));
        this.element = element("article", { class: "card share-card", "aria-labelledby": heading },
            element("header", { class: "card-head" },
                element("span", { class: "person-face" }, picture(sender.picture, nameOf(sender))),
                element("div", { class: "card-words" },
                    element(`h${level}`, { class: "card-title", id: heading, tabindex: "-1" },
                        isMine ? "You" : element("a", { class: "person-name", href: addressOf(sender) },
                            name(nameOf(sender))), " shared a song"),
                    element("p", { class: "secondary" }, element("time", { datetime: at }, clockTime(at)))),
                this.#menuButton(song)),
            this.#pinned, this.#message.element, this.#songs, this.#reactions.element);
        this.show(share);
    }

    /** Shows the share as it is now. What has the focus keeps it. */
    show(share) {
        this.#share = share;
        this.#pinned.replaceChildren(...(share.pinnedUntil
            ? [icon("pin"), ` Pinned until ${longDate(share.pinnedUntil)}`] : []));
        this.#pinned.hidden = !share.pinnedUntil;
        this.#message.show(share.message ?? "");
        this.#reactions.show(share);
    }

    #become(share) {
        if (!share.gone) this.show(share);
        this.#options.changed(share);
    }

    #showReactors() {
        return whenUsed(import("./reactors.js"), ({ showReactors }) => showReactors(this.#share));
    }

    #menuButton(song) {
        const { signal, further } = this.#options;
        const label = `Actions for the share of ${songLabel(song)}`;
        const items = () => [
            { label: "Who reacted", picture: "people", action: () => this.#showReactors() },
            ...(this.#share.isMine ? ownShareItems(this.#share, { signal, changed: (after) => this.#become(after) }) : []),
            ...further(),
        ];
        return element("button", {
            class: "icon-button", type: "button", "aria-haspopup": "menu", "aria-expanded": "false", "aria-label": label,
            onclick: ({ currentTarget: at }) => openMenu({ label, items: items(), at, opener: at }),
        }, icon("more"));
    }
}
