import { api } from "../shell/api.js";
import { libraryEdits } from "../shell/library-edits.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";

/** Asks about the changes of which no service has said whether they were made. */
export function editQuestions({ signal }) {
    const place = element("div", { class: "edit-questions" });
    libraryEdits.addEventListener("change", load, { signal });
    load();
    return place;

    async function load() {
        try {
            const { items } = await api.get("/v1/library/edits?state=unclear&limit=20", { signal });
            place.replaceChildren(...items.map((edit) => question(edit)));
        } catch {
            // The page works without them, and the next opening reads them again.
        }
    }

    function question(edit) {
        const error = element("p", { class: "field-error", role: "alert" });
        const button = (text, isDone) => element("button", { class: "button", type: "button", onclick: async () => {
            try {
                await libraryEdits.answer(edit, isDone);
            } catch (problem) {
                if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
            }
        } }, text);
        return element("section", { class: "warnings", "aria-label": `Question about ${edit.title}` },
            element("div", { class: "warning" }, icon("alert"),
                element("div", {}, element("h2", {}, edit.title), element("p", {}, edit.question))),
            error,
            element("div", { class: "actions" }, button("Yes, it is there", true), button("No, make it again", false)));
    }
}
