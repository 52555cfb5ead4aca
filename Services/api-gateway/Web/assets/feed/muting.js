import { api } from "../shell/api.js";
import { element, hiddenText } from "../ui/dom.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";
import { subjectOf } from "./folding.js";
import { kindName, kindNoun } from "./kinds.js";

/** The items of a card's menu that take it, or all of its kind, out of the feed for good. */
export function mutingItems(item, { feed, left }) {
    return [
        { label: "Hide this", picture: "dash", action: () => hide(item, feed, left) },
        { label: `Mute ${kindNoun(item.kind)}`, picture: "cross", action: () => mute(item.kind, feed, left) },
    ];
}

function hide(item, feed, left) {
    const path = `/v1/feed/hidden/${item.kind}/${encodeURIComponent(item.id)}`;
    return takeOut({
        path, text: "This is hidden from your feed.", isMeant: (other) => subjectOf(other) === subjectOf(item), feed, left,
    });
}

function mute(kind, feed, left) {
    return takeOut({
        path: mutedPath(kind), text: `${kindName(kind)} no longer appear in your feed.`,
        isMeant: (other) => other.kind === kind, feed, left,
    });
}

/** Sends it, and takes out what is meant. `left()` moves the focus, and shows what is muted. */
async function takeOut({ path, text, isMeant, feed, left }) {
    try {
        await api.put(path);
        const putBack = feed.remove(isMeant);
        left();
        toast(text, { undo: async () => {
            try {
                await api.delete(path);
                await putBack();
                left();
            } catch (problem) {
                throw new Error(messageFor(problem));
            }
        } });
    } catch (problem) {
        if (problem.status !== 401) toast(messageFor(problem));
    }
}

function mutedPath(kind) {
    return `/v1/feed/muted-kinds/${kind}`;
}

/** The kinds that the person has muted, each with a button that ends it. `load()` reads them again. */
export function mutedKinds({ signal, ended }) {
    const heading = element("h2", { tabindex: "-1" }, "Muted");
    const list = element("ul", { class: "muted-kinds" });
    const section = element("section", { class: "quiet", "aria-label": "Muted", hidden: true }, heading, list);
    load();
    return { element: section, load };

    async function load() {
        // The feed works without it.
        const muted = await api.get("/v1/feed/muted-kinds", { signal }).catch(() => null);
        if (!muted) return;
        list.replaceChildren(...muted.kinds.map(row));
        section.hidden = muted.kinds.length === 0;
    }

    function row(kind) {
        return element("li", {}, kindName(kind), " ", element("button", {
            class: "button small", type: "button", onclick: async () => {
                try {
                    await api.delete(mutedPath(kind));
                    toast(`${kindName(kind)} appear in your feed again.`);
                    await load();
                    if (!section.hidden) heading.focus();
                    ended();
                } catch (problem) {
                    if (!signal.aborted && problem.status !== 401) toast(messageFor(problem));
                }
            },
        }, "Unmute", hiddenText(` ${kindNoun(kind)}`)));
    }
}
