import { descriptionOf, element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { previewDescription } from "../ui/player-bar.js";
import { playSong } from "./song.js";

/** The button of a song's page or card that plays a preview of the song, or pauses it. */
export function previewButton(song, { isPrimary = false } = {}) {
    return element("button", {
        class: isPrimary ? "button primary" : "button", type: "button",
        "aria-describedby": descriptionOf(previewDescription), onclick: () => playSong(song),
    }, icon("play"), "Play preview");
}
