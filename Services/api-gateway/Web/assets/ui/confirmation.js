import { element, freshID } from "./dom.js";

/** Asks for confirmation of an action that cannot be undone. Resolves to whether the person confirmed. */
export function confirmed({ title, text, action }) {
    const [heading, description] = [freshID("question"), freshID("question-text")];
    const labels = { "aria-labelledby": heading, "aria-describedby": description };
    const dialog = element("dialog", { class: "card question", ...labels },
        element("form", { method: "dialog" },
            element("h2", { id: heading }, title),
            element("p", { id: description }, text),
            element("div", { class: "actions" },
                element("button", { class: "button", value: "no" }, "Cancel"),
                element("button", { class: "button danger", value: "yes" }, action))));
    // Inside the page, so that the dialog disappears when the person leaves the page.
    document.getElementById("main").append(dialog);
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(dialog.returnValue === "yes");
    }));
}
