import { whenUsed } from "../shell/when-used.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** What people do most, each one press away. `hasOthers`: whether others are here, whom the person may find. */
export function quickActions({ hasOthers, signal }) {
    const links = [
        ["/explore/playlists", "spark", "Make a playlist"],
        ["/explore/concerts", "ticket", "Find concerts"],
        hasOthers && ["/people", "people", "Find people"],
    ].filter(Boolean);
    return element("nav", { class: "quick-actions", "aria-label": "Quick actions" },
        element("button", { class: "button", type: "button", onclick: share }, icon("share"), "Share a song"),
        hasOthers && element("button", { class: "button", type: "button", onclick: send }, icon("message"), "Send a song"),
        links.map(([href, picture, text]) => element("a", { class: "button", href }, icon(picture), text)));

    async function share() {
        const song = await choose("Which song do you want to share?");
        if (!song || signal.aborted) return;
        await whenUsed(import("../songs/share-sheet.js"), ({ shareSong }) => shareSong(song));
    }

    async function send() {
        const song = await choose("Which song do you want to send?");
        if (!song || signal.aborted) return;
        await whenUsed(import("../songs/send-sheet.js"), ({ sendSong }) => sendSong(song));
    }

    async function choose(title) {
        return whenUsed(import("../songs/song-picker.js"), ({ chooseSong }) =>
            signal.aborted ? null : chooseSong({ title }));
    }
}
