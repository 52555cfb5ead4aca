import { announce } from "./announcer.js";
import { element } from "./dom.js";
import { icon } from "./icons.js";

/** How long a toast stays, in milliseconds: long enough to reach its button by keyboard. */
const stay = 10_000;
/** The container of toasts, above the bars at the lower edge. It outlives pages. */
const container = element("div", { class: "toasts", role: "region", "aria-label": "Notices" });
document.body.append(container);

/**
 * Shows for a while what was done. `undo` is called once when the person presses the button; while it runs the toast
 * stays, and it reports a failure. A toast stays as long as it has the pointer or the focus.
 */
export function toast(text, { undo = null } = {}) {
    const words = element("p", {}, text);
    const made = element("div", { class: "toast" }, words,
        undo && element("button", { class: "button small", type: "button", onclick: withdraw }, "Undo"),
        element("button", {
            class: "icon-button", type: "button", "aria-label": "Dismiss", onclick: end,
        }, icon("cross")));
    // One at a time: a list still shows what an older toast reported.
    container.replaceChildren(made);
    announce(undo ? `${text} You can undo this.` : text);
    let timer = setTimeout(end, stay);
    for (const [keeping, leaving] of [["pointerenter", "pointerleave"], ["focusin", "focusout"]]) {
        made.addEventListener(keeping, () => clearTimeout(timer));
        made.addEventListener(leaving, () => {
            clearTimeout(timer);
            timer = setTimeout(end, stay);
        });
    }

    function end() {
        clearTimeout(timer);
        if (made.contains(document.activeElement)) document.getElementById("main").focus({ preventScroll: true });
        made.remove();
    }

    async function withdraw(event) {
        const button = event.currentTarget;
        if (button.ariaDisabled === "true") return;
        button.ariaDisabled = "true";
        clearTimeout(timer);
        try {
            await undo();
            end();
        } catch (problem) {
            words.textContent = problem.message;
            announce(problem.message);
            button.ariaDisabled = "false";
        }
    }
}
