import { element, hiddenText } from "../ui/dom.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/**
 * A control of a row (`PersonRow`) that does something to its person. `act()` does it and resolves to what a toast then
 * says, or to `null`. `hidden` completes the button's name for screen readers. `failed(problem)` is called after a
 * refusal, which a toast shows, too.
 */
export function actButton({ text, hidden, isPrimary = false, act, failed = () => {} }) {
    const button = element("button", {
        class: isPrimary ? "button small primary" : "button small", type: "button", onclick: async () => {
            // The button keeps the focus while it waits.
            if (button.ariaDisabled === "true") return;
            button.ariaDisabled = "true";
            try {
                const said = await act();
                if (said) toast(said);
            } catch (problem) {
                if (problem.status === 401) return;
                toast(messageFor(problem));
                failed(problem);
            } finally {
                button.ariaDisabled = "false";
            }
        },
    }, text, hiddenText(hidden));
    return { element: button };
}
