import { element } from "../ui/dom.js";
import { secretField } from "../ui/form-field.js";
import { savingForm } from "../ui/saving-form.js";
import { openSheet } from "../ui/sheet.js";
import { api } from "./api.js";

/**
 * Sends a deletion that needs a sign-in of the last ten minutes, with the members of `body`. If the last one is older,
 * a sheet asks for one of the person's tokens. Resolves to whether it was sent; throws the `Problem` of any other
 * refusal.
 */
export async function deleteWithRecentSignIn(path, { body = {}, action, signal }) {
    try {
        // A request without a body needs none.
        await api.delete(path, Object.keys(body).length > 0 ? { body } : {});
        return true;
    } catch (problem) {
        if (problem.code !== "recentSignInRequired" || signal.aborted) throw problem;
    }
    const isSent = await openSheet({
        title: "Confirm that it is you",
        content: (close) => {
            const token = secretField({
                name: "token", label: "One of your tokens", maxlength: "200",
                hint: "Without a token, sign in again as you did before, and then repeat what you were doing.",
            });
            const form = savingForm({
                fields: [token], refused: token, signal, action, busy: "Checking …",
                content: [element("p", {}, element("a", {
                    href: `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`,
                }, "Sign in again"))],
                check: () => token.value ? null : { field: token, text: "Paste a token first." },
                save: () => api.delete(path, { body: { ...body, token: token.value } }),
                saved: () => close(true),
            });
            form.classList.remove("card");
            form.prepend(element("p", {},
                "This cannot be undone, and your last sign-in was more than ten minutes ago."));
            return form;
        },
    });
    return isSent === true;
}
