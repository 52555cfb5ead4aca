import { element } from "../ui/dom.js";
import { messageFor } from "../ui/problem-view.js";
import { changeSettings } from "./setting-changes.js";

const channels = { page: "In the list", webPush: "On devices", ntfy: "ntfy" };

/** Which kinds of notifications the person gets, and where. A choice is saved at once. */
export function kindSettings({ kinds }, { signal }) {
    const error = element("p", { class: "field-error", role: "alert" });
    return element("section", { class: "card settings-part", "aria-labelledby": "kinds" },
        element("h2", { id: "kinds" }, "What you are notified of"), error,
        element("div", { class: "kind-list" }, kinds.map(choice)));

    function choice({ kind, label, channels: chosen }) {
        let saved = new Set(chosen);
        const boxes = Object.entries(channels).map(([channel, text]) => {
            const input = element("input", {
                type: "checkbox", value: channel, checked: saved.has(channel), onchange: () => save(),
            });
            return { input, element: element("label", { class: "option" }, input, text) };
        });
        return element("fieldset", { class: "kind-choice" }, element("legend", {}, label),
            element("div", { class: "kind-channels" }, boxes.map((box) => box.element)));

        async function save() {
            error.textContent = "";
            const wanted = boxes.filter(({ input }) => input.checked).map(({ input }) => input.value);
            try {
                await changeSettings({ kinds: [{ kind, channels: wanted }] }, { signal });
                saved = new Set(wanted);
            } catch (problem) {
                if (signal.aborted || problem.status === 401) return;
                for (const { input } of boxes) input.checked = saved.has(input.value);
                error.textContent = messageFor(problem);
            }
        }
    }
}
