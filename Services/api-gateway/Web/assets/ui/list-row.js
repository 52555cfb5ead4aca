import { descriptionOf, element } from "./dom.js";
import { icon } from "./icons.js";
import { offerMenu, openMenu } from "./menu.js";
import { picture } from "./picture.js";
import { playerBar, previewDescription } from "./player-bar.js";

/** What a screen reader says about the title of a song's row. */
const keyDescription = "Press Space to play a preview of up to 30 seconds, or to pause it.";

/**
 * A row of a list. Its title is a link with the accessible name `label`. `parts` are the texts below the title, and
 * `narrow` those that wide windows show in one of the `columns` instead. `from` is who sent it: a third line, and a part
 * of the accessible name. `marks` are at the end.
 *
 * `play()` plays a preview of the song with the key `song`, on a click anywhere in the row or on Space. `menu()`
 * returns the items of the row's menu, or a promise of them.
 */
export function listRow({
    title, label: called, href, image = null, parts = [], narrow = [], from = null, columns = [], marks = [],
    song = null, play = null, menu = null, lead = null, badge = null,
}) {
    const label = from ? `${called}, from ${from}` : called;
    const link = element("a", {
        class: "row-title", href, "aria-label": label, "aria-describedby": play && descriptionOf(keyDescription),
        "data-control": true,
    }, name(title));
    const row = element("li", { class: "row", "data-song": song },
        lead,
        element("span", { class: "row-picture" }, picture(image, title), play && playButton(label, play)),
        element("div", { class: "row-words" },
            element("p", { class: "row-head" }, link, badge && " ", badge),
            element("p", { class: "row-text" }, separated(parts), narrowText(parts, narrow)),
            from && element("p", { class: "row-text row-from" }, "From ", name(from))),
        columns.map(({ kind, content }) => element("p", { class: `row-column row-${kind}` }, content)),
        element("p", { class: "marks" }, marks.flatMap((mark) => [" ", mark])),
        menu && menuButton(label, menu));
    if (song && playerBar.playing === song) row.classList.add("playing");
    if (play) {
        row.classList.add("playable");
        row.addEventListener("click", (event) => {
            if (event.target.closest("a, button, input, label") || !getSelection().isCollapsed) return;
            play();
        });
        link.addEventListener("keydown", (event) => {
            if (event.key !== " ") return;
            event.preventDefault();
            play();
        });
    }
    if (menu) offerMenu(row, (at) => openMenu({ label: `Actions for ${label}`, items: menu(), at }));
    return row;
}

/**
 * A name in the direction of its own script. Without `bdi`, a name from right to left would also change the order of
 * separators, numbers and other names beside it.
 */
export function name(text, className = null) {
    return element("bdi", { class: className }, text);
}

/** Parts with a separator between them, from left to right. Missing parts are left out. */
export function separated(parts) {
    return parts.filter(Boolean).flatMap((part, index) => (index > 0 ? [" · ", part] : [part]));
}

function narrowText(parts, narrow) {
    const shown = narrow.filter(Boolean);
    if (shown.length === 0) return null;
    return element("span", { class: "row-narrow" }, parts.some(Boolean) && " · ", separated(shown));
}

function playButton(label, play) {
    return element("button", {
        class: "row-play", type: "button", tabindex: "-1", "aria-label": `Play a preview of ${label}`,
        "aria-describedby": descriptionOf(previewDescription), onclick: play,
    }, icon("play"), icon("pause"));
}

function menuButton(label, menu) {
    return element("button", {
        class: "icon-button row-menu", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
        "aria-label": `Actions for ${label}`, "data-control": true,
        onclick: (event) => openMenu({
            label: `Actions for ${label}`, items: menu(), at: event.currentTarget, opener: event.currentTarget,
        }),
    }, icon("more"));
}
