import { api } from "../shell/api.js";
import { whenUsed } from "../shell/when-used.js";
import { confirmed } from "../ui/confirmation.js";
import { element, freshID } from "../ui/dom.js";
import { longDate } from "../ui/formats.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { toast } from "../ui/toast.js";

/** For how many days a share can be pinned; the first is proposed. */
const pinDays = [7, 1, 14, 30];
const day = 86_400_000;

/**
 * The items of the menu of an own share. `changed(share)` gets the share after a change, `{ gone: true }` once it was
 * deleted.
 */
export function ownShareItems(share, { signal, changed }) {
    return [
        share.pinnedUntil
            ? { label: "Unpin from your profile", picture: "pin", action: () => unpin(share, changed) }
            : { label: "Pin to your profile", picture: "pin", action: () => pin(share, changed) },
        { label: "Public links", picture: "link", action: () => manageLinks(share, { signal }) },
        { label: "Delete share", picture: "cross", action: () => deleteShare(share, { signal, changed }) },
    ];
}

function manageLinks(share, { signal }) {
    return whenUsed(import("./link-sheet.js"), ({ openLinkSheet }) =>
        signal.aborted ? null : openLinkSheet(share, { signal }));
}

async function deleteShare(share, { signal, changed }) {
    const isMeant = await confirmed({
        title: `Delete your share of “${share.song.title}”?`, action: "Delete share",
        text: "It disappears everywhere immediately, together with its reactions, and its public links stop working.",
    });
    if (!isMeant || signal.aborted) return;
    await act(async () => {
        await api.delete(`/v1/shares/${encodeURIComponent(share.id)}`);
        toast(`Deleted your share of “${share.song.title}”.`);
        changed({ id: share.id, gone: true });
    });
}

async function pin(share, changed) {
    const days = await openSheet({
        title: `Pin “${share.song.title}”`, content: (close) => {
            const id = freshID("pin");
            const select = element("select", { id }, pinDays.toSorted((one, other) => one - other).map((count) =>
                element("option", { value: String(count), selected: count === pinDays[0] },
                    count === 1 ? "1 day" : `${count} days`)));
            return element("form", { class: "saving", onsubmit: (event) => {
                event.preventDefault();
                close(Number(select.value));
            } },
            element("p", {}, "It stays at the top of your profile for this long, replacing any other pinned share."),
            element("div", { class: "field" }, element("label", { for: id }, "For"), select),
            element("div", { class: "actions" }, element("button", { class: "button primary", type: "submit" }, "Pin")));
        },
    });
    if (!days) return;
    const until = new Date(Date.now() + days * day).toISOString();
    await act(async () => {
        const { pinnedUntil } = await api.put("/v1/me/pin", { shareId: share.id, until });
        toast(`It is pinned to your profile until ${longDate(pinnedUntil)}.`);
        changed({ ...share, pinnedUntil });
    });
}

function unpin(share, changed) {
    return act(async () => {
        await api.delete("/v1/me/pin");
        toast("It is no longer pinned to your profile.");
        changed({ ...share, pinnedUntil: null });
    });
}

/** Runs an action. A toast says why it failed. */
async function act(work) {
    try {
        await work();
    } catch (problem) {
        if (problem.status !== 401) toast(messageFor(problem));
    }
}
