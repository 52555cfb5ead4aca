import { api } from "../shell/api.js";
import { confirmed } from "../ui/confirmation.js";
import { element, hiddenText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { openMenu } from "../ui/menu.js";
import { nameOf, pathOf } from "../ui/person-names.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/** The button that opens a menu about a person, as it is on profiles and in rows. `items()` are those of `openMenu`. */
export function moreButton(person, items) {
    const button = element("button", {
        class: "button small", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
        onclick: () => openMenu({ label: `More about ${nameOf(person)}`, at: button, opener: button, items: items() }),
    }, icon("more"), "More", hiddenText(` about ${nameOf(person)}`));
    return button;
}

/**
 * The item of a menu that blocks a person, after a question. `blocked()` is called when they are blocked, and `gone()`
 * when the reader can no longer see them.
 */
export function blockItem(person, options) {
    return { label: "Block", picture: "cross", action: () => block(person, options) };
}

/**
 * A control of a row (`PersonRow`) that blocks its person. Who is private has no page on which they could be blocked.
 * `blocked()` is called when they are.
 */
export function blockMenu(person, options) {
    return { element: moreButton(person, () => [blockItem(person, options)]) };
}

async function block(person, { signal, blocked, gone = () => {} }) {
    const known = nameOf(person);
    const isMeant = await confirmed({
        title: `Block ${known}?`, action: "Block",
        text: "You will no longer see each other, and any follows between you will end. "
            + `${known} is not notified. Unblocking does not restore the follows.`,
    });
    if (!isMeant || signal.aborted) return;
    try {
        await api.put(pathOf(person, "/block"));
        if (signal.aborted) return;
        blocked();
        toast(`${known} is blocked.`);
    } catch (problem) {
        if (signal.aborted || problem.status === 401) return;
        toast(messageFor(problem));
        if (problem.status === 404) gone();
    }
}
