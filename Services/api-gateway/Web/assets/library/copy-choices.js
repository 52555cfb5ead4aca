import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { counted, grouped } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/**
 * The songs that were not found; of a complete copy with what comes near, to choose from. `changed()` is called after
 * each choice.
 */
export function missingEntries({ id, notFound, state }, { signal, changed }) {
    const canChoose = state === "complete";
    return element("section", { "aria-labelledby": "not-found" },
        element("h2", { id: "not-found" }, `${counted(notFound.length, "song")} not found`),
        canChoose && element("p", { class: "secondary" },
            "Choose what comes near, or leave a song out. Your choice counts for later copies, too."),
        element("ul", { class: "imports", "aria-label": "Songs not found" }, notFound.map((entry) => missing(entry))));

    function missing(entry) {
        const error = element("p", { class: "field-error", role: "alert" });
        const choose = async (choice, text) => {
            try {
                await api.post(`/v1/library/copies/${id}/choices`, {
                    choices: [{ position: entry.position, ...choice }],
                }, { signal });
                toast(text);
                await changed();
            } catch (problem) {
                if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
            }
        };
        return element("li", { class: "card import" },
            element("h3", {}, `${grouped(entry.position + 1)}. `, name(entry.title || "Unknown title")),
            entry.artist && element("p", {}, name(entry.artist)),
            entry.tried.length > 0 && element("p", { class: "secondary" }, "Tried:"),
            entry.tried.length > 0 && element("ul", { class: "sentences" },
                entry.tried.map((sentence) => element("li", {}, sentence))),
            error,
            canChoose && element("ul", { class: "choices", "aria-label": `Songs near ${entry.title}` }, entry.nearest.map((near) =>
                element("li", {}, element("button", { class: "choice", type: "button", onclick: () =>
                    choose({ uri: near.uri }, `“${near.title}” is added to the copy.`) },
                element("span", { class: "choice-title" }, name(near.title)),
                element("span", { class: "secondary" }, name(near.artist)))))),
            canChoose && element("div", { class: "detail-buttons" }, element("button", { class: "button", type: "button", onclick: () =>
                choose({ leaveOut: true }, `“${entry.title}” is left out.`) }, "Leave it out")));
    }
}
