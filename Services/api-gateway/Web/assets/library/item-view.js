import { detailView } from "../shell/detail-view.js";
import { element } from "../ui/dom.js";
import { clockTime } from "../ui/formats.js";

/** The page of one item of the library, shown by `detailView`. `noun` names the kind of item. */
export function libraryItemView(page, { noun, missingText, back = backToLibrary(), ...options }) {
    return detailView(page, {
        ...options, back, missing: {
            picture: "library", title: `There is no such ${noun}`,
            text: missingText ?? `The ${noun} may have left your library, or the address may be mistyped.`,
            actions: [element("a", { class: "button primary", href: "/library" }, "Go to your library")],
        },
    });
}

/** The link above a page of the library. */
export function backToLibrary(href = "/library", text = "Library") {
    return element("p", { class: "way" }, element("a", { href }, `← ${text}`));
}

/** "Last synced 20 Nov, 14:05", or when a file with it was imported. */
export function syncedText({ source, lastSyncedAt }) {
    return lastSyncedAt && `${source === "file" ? "Imported" : "Last synced"} ${clockTime(lastSyncedAt)}`;
}

/** A section of a page with its own heading. */
export function section(title, ...content) {
    return element("section", { class: "card detail-part", "aria-label": title },
        element("h2", {}, title), ...content);
}
