import { element, freshID } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/** The time ranges of Spotify's top lists, by the API's names. */
const ranges = { short_term: "the last 4 weeks", medium_term: "the last 6 months", long_term: "the last year" };

/** The form that replaces the list with the artists that a person listens to most. */
export function resetForm(list) {
    const id = freshID("reset-range");
    const range = element("select", { id }, Object.entries(ranges).map(([value, text]) =>
        element("option", { value }, text)));
    const error = element("p", { class: "field-error", role: "alert" });
    const button = element("button", { class: "button", type: "submit" }, icon("refresh"), "Use my top artists");
    return element("form", { class: "card find artist-reset", novalidate: true, onsubmit: reset },
        element("div", { class: "field" },
            element("label", { for: id }, "Start over with your top artists from"), range),
        button,
        element("p", { class: "hint" }, "This replaces your list with ten artists from Spotify."), error);

    async function reset(event) {
        event.preventDefault();
        if (button.ariaDisabled === "true") return;
        button.ariaDisabled = "true";
        error.replaceChildren();
        try {
            const former = await list.reset(range.value);
            toast(`Your list now has your top artists from ${ranges[range.value]}.`,
                { undo: () => list.replace(former) });
        } catch (problem) {
            if (problem.status === 401) return;
            const words = {
                spotifyNotConnected: "Connect Spotify", scopeMissing: "Allow it on Spotify",
            }[problem.code];
            error.replaceChildren(icon("alert"), element("span", {},
                `Your list has not changed. ${messageFor(problem)} `,
                words && element("a", { href: "/setup/spotify" }, words)));
        } finally {
            button.ariaDisabled = "false";
        }
    }
}
