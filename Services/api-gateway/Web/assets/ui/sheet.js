import { element, freshID } from "./dom.js";
import { icon } from "./icons.js";

/**
 * Opens a dialog, at the lower edge on phones and in the middle of larger windows. `content(close)` returns what it
 * shows. Resolves to what `close(value)` was called with, or to `null` if it was closed otherwise. The focus returns to
 * where it was.
 */
export function openSheet({ title, content }) {
    const heading = freshID("sheet");
    let result = null;
    const close = (value) => {
        result = value ?? null;
        dialog.close();
    };
    const dialog = element("dialog", {
        class: "sheet", "aria-labelledby": heading,
        onclick: (event) => event.target === dialog && dialog.close(),
    });
    dialog.append(element("div", { class: "sheet-content" },
        element("div", { class: "sheet-head" },
            element("h2", { id: heading, tabindex: "-1" }, title),
            element("button", {
                class: "icon-button", type: "button", "aria-label": "Close", onclick: () => dialog.close(),
            }, icon("cross"))),
        content(close)));
    // In the page, so that it disappears when the person leaves the page.
    document.getElementById("main").append(dialog);
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(result);
    }));
}
