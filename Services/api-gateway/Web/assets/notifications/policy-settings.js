import { element } from "../ui/dom.js";
import { messageFor } from "../ui/problem-view.js";
import { changeSettings } from "./setting-changes.js";

const policies = {
    anybody: "Anyone I can see", followed: "People I follow", mutual: "People I follow who follow me back",
};

/** Whose acts the person is notified of. A choice is saved at once. */
export function policySettings({ policy }, { signal }) {
    const error = element("p", { class: "field-error", role: "alert" });
    let saved = policy;
    const group = element("fieldset", { class: "options" },
        element("legend", { class: "visually-hidden" }, "Who may notify you"),
        Object.entries(policies).map(([value, text]) => element("label", { class: "option" },
            element("input", {
                type: "radio", name: "policy", value, checked: value === saved, onchange: () => save(value),
            }), text)));
    return element("section", { class: "card settings-part", "aria-labelledby": "policy" },
        element("h2", { id: "policy" }, "Who may notify you"), error, group,
        element("p", { class: "hint" }, "Requests to follow you are always shown."));

    async function save(value) {
        error.textContent = "";
        try {
            await changeSettings({ policy: value }, { signal });
            saved = value;
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            group.querySelector(`input[value="${saved}"]`).checked = true;
            error.textContent = messageFor(problem);
        }
    }
}
