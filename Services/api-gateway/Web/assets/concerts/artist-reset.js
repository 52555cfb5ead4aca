import { element, freshID } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/** The times of Spotify's top lists, as the API names them. */
const ranges = { short_term: "the last 4 weeks", medium_term: "the last 6 months", long_term: "the last year" };

/** The form that begins the list again with the artists that a person listens to most. */
export function resetForm(list) {
    const id = freshID("reset-range");
    const range = element("select", { id }, Object.entries(ranges).map(([value, text]) =>
        element("option", { value }, text)));
    const error = element("p", { class: "field-error", role: "alert" });
    const button = element("button", { class: "button", type: "submit" }, icon("refresh"), "Use my top artists");
    return element("form", { class: "card find artist-reset", novalidate: true, onsubmit: reset },
        element("div", { class: "field" },
            element("label", { for: id }, "Begin again with your top artists of"), range),
        button,
        element("p", { class: "hint" }, "Ten artists from Spotify take the place of this list."), error);

    async function reset(event) {
        event.preventDefault();
        if (button.ariaDisabled === "true") return;
        button.ariaDisabled = "true";
        error.replaceChildren();
        try {
            const former = await list.reset(range.value);
            toast(`Your list has your top artists of ${ranges[range.value]} now.`,
                { undo: () => list.replace(former) });
        } catch (problem) {
            if (problem.status === 401) return;
            const words = {
                spotifyNotConnected: "Connect Spotify", scopeMissing: "Allow it at Spotify",
            }[problem.code];
            error.replaceChildren(icon("alert"), `The list stays as it is. ${messageFor(problem)} `,
                ...words ? [element("a", { href: "/setup/spotify" }, words)] : []);
        } finally {
            button.ariaDisabled = "false";
        }
    }
}
