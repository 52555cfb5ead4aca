import { element, hiddenText } from "../ui/dom.js";
import { trackTime } from "../ui/formats.js";
import { listRow, name } from "../ui/list-row.js";
import { playSong } from "./song.js";
import { songMenu } from "./song-menu.js";
import { songLabel } from "./song-parts.js";

/**
 * The row of a song (`song.js`), the same wherever songs are listed: a press plays its preview, and its menu begins with
 * *Send to friend*. `further()` returns the items that the page adds to the menu. `from` is who sent the song. The other
 * options are those of `listRow`; `narrow`, `second`, `date` and `marks` may be replaced.
 */
export function songRow(song, {
    further = () => [], second = song.album && name(song.album), date = null, ...options
} = {}) {
    const { title, artist, durationMs, explicit, picture: image, key, href } = song;
    return listRow({
        title, label: songLabel(song), href, image, song: key, badge: explicit && explicitBadge(),
        parts: [artist && name(artist)], narrow: [second],
        columns: [
            { kind: "second", content: second && copyOf(second) },
            { kind: "date", content: date },
            { kind: "aside row-time", content: durationMs ? trackTime(durationMs) : null },
        ],
        play: song.preview && (() => playSong(song)), menu: () => songMenu(song, further()), ...options,
    });
}

/** A node can be in one place only. */
function copyOf(content) {
    return content instanceof Node ? content.cloneNode(true) : content;
}

export function explicitBadge() {
    return element("span", { class: "row-explicit" }, element("span", { "aria-hidden": "true" }, "E"),
        hiddenText("explicit"));
}
