import { api } from "../shell/api.js";
import { element, hiddenText } from "../ui/dom.js";
import { nameOf } from "../ui/person-names.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/**
 * The buttons that answer the request of a thread. `accepted()` and `declined()` are called afterwards, and `failed()`
 * if there is no request any longer.
 */
export function requestButtons({ id, person }, { signal, accepted, declined, failed }) {
    const path = `/v1/me/message-requests/${id}`;
    const name = nameOf(person);
    return element("div", { class: "detail-buttons" },
        button("Accept", "button small primary", () => api.put(path), accepted,
            `You and ${name} can write to each other now.`),
        button("Decline", "button small", () => api.delete(path), declined,
            `You declined the request. ${name} is not notified.`));

    function button(text, classes, send, done, said) {
        const made = element("button", { class: classes, type: "button", onclick: async () => {
            // The button keeps the focus while it waits.
            if (made.ariaDisabled === "true") return;
            made.ariaDisabled = "true";
            try {
                await send();
                toast(said);
                if (!signal.aborted) done();
            } catch (problem) {
                if (signal.aborted || problem.status === 401) return;
                toast(problem.status === 404 ? "There is no such request any longer." : messageFor(problem));
                if (problem.status === 404) failed();
            } finally {
                made.ariaDisabled = "false";
            }
        } }, text, hiddenText(` the request of ${name}`));
        return made;
    }
}
