import { api } from "../shell/api.js";
import { navigate } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { sourceName, sources } from "../ui/sources.js";
import { toast } from "../ui/toast.js";
import { libraryEdits } from "../songs/library-edits.js";
import { openAt } from "../songs/service-links.js";

/** The items of a playlist's menu. */
export function playlistMenu(playlist) {
    const { id, source, canRename, refusal, entriesState } = playlist;
    const unread = {
        forbidden: `${sourceName(source)} shows its songs only to its owner.`,
        none: "Backline has not read its songs yet. Wait for the next sync.",
    }[entriesState] ?? null;
    return [
        { label: "Rename", picture: "pencil", reason: canRename ? null : refusal, action: () => rename(playlist) },
        ...Object.keys(sources).filter((to) => to !== source).map((to) => ({
            label: `Copy to ${sourceName(to)}`, picture: "copy", reason: unread, action: () => copy(playlist, to),
        })),
        ...["jspf", "csv"].map((format) => ({
            label: `Download as ${format.toUpperCase()}`, picture: "download", reason: unread,
            href: `/v1/library/playlists/${id}/export?format=${format}`,
        })),
        source !== "file" && openAt("playlist", playlist),
    ];
}

/** The item of an entry's menu that removes the entry. Positions belong to a version of the list. */
export function removalItem({ id, name, version, canRemove, refusal }, { position, track }) {
    return {
        label: "Remove from this playlist", picture: "dash", reason: canRemove ? null : refusal,
        action: () => libraryEdits.submit(
            () => api.delete(`/v1/library/playlists/${id}/tracks`, { body: { version, positions: [position] } }),
            { text: `Removed “${track.title}” from “${name}”.` }),
    };
}

async function rename(playlist) {
    const title = new FormField({
        name: "name", label: "Name", maxlength: "100", autocomplete: "off", value: playlist.name,
    });
    const chosen = await openSheet({
        title: `Rename “${playlist.name}”`, content: (close) => element("form", { novalidate: true, onsubmit: (event) => {
            event.preventDefault();
            if (title.value) return close(title.value);
            title.fail("Give the playlist a name.");
            title.focus();
        } }, title.element,
        element("div", { class: "actions" }, element("button", { class: "button primary", type: "submit" }, "Rename"))),
    });
    if (!chosen || chosen === playlist.name) return;
    await libraryEdits.submit(() => api.patch(`/v1/library/playlists/${playlist.id}`, { name: chosen }), {
        text: `Renamed “${playlist.name}” to “${chosen}”.`,
    });
}

/** Starts a copy, or finds the existing one, and opens its page. */
async function copy({ id }, to) {
    try {
        const made = await api.post(`/v1/library/playlists/${id}/copies`, { to });
        await navigate(`/library/copies/${made.id}`);
    } catch (problem) {
        if (problem.status !== 401) toast(messageFor(problem));
    }
}
