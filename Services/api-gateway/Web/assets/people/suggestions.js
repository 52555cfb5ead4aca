import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { name } from "../ui/list-row.js";
import { FollowButton } from "./follow-button.js";
import { PersonRow } from "./person-row.js";

/** The most artists that a reason names. */
const mostArtists = 3;

/** People whom the reader may want to follow, each with the reason. It is empty where nobody is suggested. */
export function suggestions({ signal }) {
    const container = element("section", { class: "detail-list", "aria-labelledby": "suggested-people", hidden: true });
    load();
    return container;

    async function load() {
        // The page works without it.
        const found = await api.get("/v1/users/suggestions", { signal }).catch(() => null);
        if (!found || found.items.length === 0) return;
        container.append(
            element("h2", { id: "suggested-people" }, "Suggested for you"),
            element("ul", { class: "people-rows", "aria-labelledby": "suggested-people" }, found.items.map(row)));
        container.hidden = false;
    }
}

function row(person) {
    const button = new FollowButton(person, { changed: (changed) => made.show(changed) });
    const made = new PersonRow(person, { note: ({ reason }) => reasonText(reason), controls: [button] });
    return made.element;
}

function reasonText(reason) {
    if (reason.kind === "network") return "Followed by several people you follow.";
    if (reason.kind !== "topArtists") return null;
    const artists = reason.artists.slice(0, mostArtists);
    const last = artists.length - 1;
    return ["You both listen to ", ...artists.flatMap((artist, index) =>
        [index === 0 ? "" : index === last ? " and " : ", ", name(artist)]), "."];
}
