import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { sourceName } from "../ui/sources.js";
import { libraryEdits } from "../songs/library-edits.js";

/** Asks about changes that no service has confirmed, and about songs that a change removed and could not put back. */
export function editQuestions({ signal }) {
    const container = element("div", { class: "edit-questions" });
    libraryEdits.addEventListener("change", load, { signal });
    load();
    return container;

    async function load() {
        try {
            const [unclear, missing] = await Promise.all(["state=unclear", "missing=true"].map(
                (query) => api.get(`/v1/library/edits?${query}&limit=20`, { signal })));
            container.replaceChildren(...unclear.items.map(unclearQuestion), ...missing.items.map(missingQuestion));
        } catch {
            // The page works without them, and reads them again when it is next opened.
        }
    }

    function unclearQuestion(edit) {
        return question(edit, edit.question, [
            ["Yes, it is there", () => libraryEdits.answer(edit, true)],
            ["No, make it again", () => libraryEdits.answer(edit, false)],
        ]);
    }

    function missingQuestion(edit) {
        const one = edit.missing.length === 1;
        const text = `${counted(edit.missing.length, "song")} of this playlist ${one ? "was" : "were"} removed from `
            + `${sourceName(edit.source)} and could not be put back:`;
        const songs = element("ul", {}, ...edit.missing.map(({ title, artist }) => element("li", {},
            element("bdi", {}, title), artist && " by ", artist && element("bdi", {}, artist))));
        return question(edit, text, [
            [one ? "Put it back" : "Put them back", () => libraryEdits.resolveMissing(edit, true)],
            [one ? "Leave it out" : "Leave them out", () => libraryEdits.resolveMissing(edit, false)],
        ], songs);
    }

    /** `answers` are the text and the action of each button. */
    function question(edit, text, answers, details = null) {
        const error = element("p", { class: "field-error", role: "alert" });
        const button = ([label, action]) => element("button", { class: "button", type: "button", onclick: async () => {
            try {
                await action();
            } catch (problem) {
                if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
            }
        } }, label);
        return element("section", { class: "warnings", "aria-label": `Question about ${edit.title}` },
            element("div", { class: "warning" }, icon("alert"),
                element("div", {}, element("h2", {}, edit.title), element("p", {}, text), details)),
            error,
            element("div", { class: "actions" }, ...answers.map(button)));
    }
}
