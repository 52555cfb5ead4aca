import { api } from "../shell/api.js";
import { saveScrollPosition } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { counted, grouped, longDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { ListView } from "../ui/list-view.js";
import { openMenu } from "../ui/menu.js";
import { picture } from "../ui/picture.js";
import { sourceName } from "../ui/sources.js";
import { backToLibrary, libraryItemView, syncedText } from "./item-view.js";
import { libraryEdits } from "../songs/library-edits.js";
import { emptyPlaylist } from "./library-empty.js";
import { songColumns } from "./lists.js";
import { playlistMenu, removalItem } from "./playlist-actions.js";
import { sourceBadges, trackRow } from "./rows.js";

/** Descriptions of the entries that are not songs. */
const kinds = {
    local: "A file on the owner’s device", episode: "A podcast episode",
    unavailable: "No longer available",
};

export function show(view) {
    const { main, signal, scrollPosition, parameters: { id } } = view;
    const path = `/v1/library/playlists/${id}`;
    const { title, load } = libraryItemView({ main, signal, scrollPosition }, {
        title: "Playlist", noun: "playlist", path: `${path}?limit=1`,
        back: backToLibrary("/library?show=playlists", "Playlists"),
        content: (playlist) => {
            const list = new ListView({
                label: `Entries of ${playlist.name}`, columns: songColumns, hasLead: true, scrollPosition,
                onScroll: saveScrollPosition, signal, row: (entry) => entryRow(entry, playlist),
                empty: () => emptyPlaylist(playlist),
                load: async ({ position, limit, signal: current }) => {
                    const parts = new URLSearchParams({ position, limit });
                    const page = await api.get(`${path}?${parts}`, { signal: current });
                    // A playlist may have a song several times, so an entry's position serves as its id.
                    const items = page.entries.map((entry) => ({ ...entry, id: entry.position }));
                    return { items, total: page.total };
                },
            });
            // The list has to be in the page before it is measured.
            queueMicrotask(() => list.begin());
            return [header(playlist), list.element];
        },
    });
    libraryEdits.addEventListener("change", () => load(), { signal });
    return title;
}

function header(playlist) {
    const { name, description, owner, total, isPublic, isCollaborative, missingSince, source } = playlist;
    const about = [counted(total, "song"), isPublic && "public", isCollaborative && "collaborative"].filter(Boolean);
    return element("header", { class: "detail-head" },
        picture(playlist.picture, name, { size: 240 }),
        element("div", { class: "detail-words" },
            element("h1", {}, element("bdi", {}, name)),
            owner && element("p", { class: "detail-artist" }, "By ", element("bdi", {}, owner)),
            element("p", { class: "secondary" }, about.join(" · ")),
            description && element("p", { class: "secondary" }, element("bdi", {}, description)),
            element("p", { class: "secondary" }, syncedText(playlist)),
            missingSince && element("p", { class: "secondary" },
                `Removed from ${sourceName(source)} on ${longDate(missingSince)}.`),
            element("p", { class: "marks" }, sourceBadges([source]).flatMap((mark) => [" ", mark])),
            element("div", { class: "detail-buttons" }, element("a", {
                class: "button", href: `/explore/growth/${playlist.id}`,
            }, icon("spark"), "Extend it"), element("button", {
                class: "button", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
                "aria-label": `Actions for ${name}`,
                onclick: ({ currentTarget: at }) =>
                    openMenu({ label: `Actions for ${name}`, items: playlistMenu(playlist), at, opener: at }),
            }, icon("more"), "More"))));
}

/** The row of an entry, with its position. An entry that the service no longer has keeps its position, with a mark. */
function entryRow(entry, playlist) {
    const { source } = playlist;
    const lead = element("span", { class: "row-lead" }, grouped(entry.position + 1));
    if (entry.track) {
        return trackRow(entry.track, { lead, further: () => [removalItem(playlist, entry)] });
    }
    const text = entry.kind === "unavailable" ? `${kinds.unavailable} at ${sourceName(source)}`
        : kinds[entry.kind] ?? entry.kind;
    return element("li", { class: "row entry-gone", tabindex: "-1" }, lead,
        element("span", { class: "row-picture" }, picture(null, entry.title ?? "")),
        element("div", { class: "row-words" },
            element("p", { class: "row-head" }, element("bdi", {}, entry.title ?? "Unknown title"))),
        element("p", { class: "marks" }, element("span", { class: "mark remark-mark" }, icon("dash"),
            element("span", { class: "remark-text" }, text))));
}
