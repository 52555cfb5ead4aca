import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { counted, grouped } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/**
 * The songs that a copy did not find. Once the copy is complete, each lists similar songs to choose from. Calls
 * `changed()` after each choice.
 */
export function missingEntries({ id, notFound, state }, { signal, changed }) {
    const canChoose = state === "complete";
    return element("section", { class: "detail-list", "aria-labelledby": "not-found" },
        element("h2", { id: "not-found" }, `${counted(notFound.length, "song")} not found`),
        canChoose && element("p", { class: "secondary" },
            "Choose a similar song, or leave the song out. Backline remembers your choice for later copies."),
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
            canChoose && element("ul", {
                class: "choices", "aria-label": `Songs similar to ${entry.title}`,
            }, entry.nearest.map((near) =>
                element("li", {}, element("button", { class: "choice", type: "button", onclick: () =>
                    choose({ uri: near.uri }, `Added “${near.title}” to the copy.`) },
                element("span", { class: "choice-title" }, name(near.title)),
                element("span", { class: "secondary" }, name(near.artist)))))),
            canChoose && element("div", { class: "detail-buttons" }, element("button", { class: "button", type: "button", onclick: () =>
                choose({ leaveOut: true }, `Left “${entry.title}” out of the copy.`) }, "Leave it out")));
    }
}
