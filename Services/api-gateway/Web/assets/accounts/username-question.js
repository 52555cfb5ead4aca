import { api } from "../shell/api.js";
import { session } from "../shell/session.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { savingForm } from "../ui/saving-form.js";
import { usernameField } from "./username-field.js";

/**
 * Asks once for a username, where Backline had to make one. `me` is the answer of `/v1/me`. The question disappears
 * when it is answered; `answered()` is then called with the profile, and moves the focus.
 */
export function usernameQuestion(me, { signal, answered }) {
    const username = usernameField({ hint: "Others find you by it. You can change it every 30 days." });
    const keep = element("button", {
        class: "button", type: "button", onclick: () => {
            username.input.value = me.username;
            form.requestSubmit();
        },
    }, "Keep ", element("bdi", {}, me.username));
    const form = savingForm({
        fields: [username], refused: username, signal, action: "Use this name",
        check: () => username.value ? null : { field: username, text: "Enter a username." },
        save: () => api.patch("/v1/me", { username: username.value }, { signal }),
        saved: (changed) => {
            session.rename(changed.username);
            section.remove();
            announce(`Your username is ${changed.username}.`);
            answered(changed);
        },
    });
    form.classList.remove("card");
    const submit = form.querySelector("[type=submit].primary");
    submit.parentElement.classList.add("actions");
    submit.after(keep);
    const section = element("section", { class: "card newcomer", "aria-labelledby": "username-question" },
        element("h2", { id: "username-question" }, "Choose your username"),
        element("p", {}, "Backline named you ", element("strong", {}, element("bdi", {}, me.username)),
            ", because none of your names can be a username.",
            // A new account, or one by Google, has sent nothing under a name that was changed.
            !me.onboarding && !me.email
                && " Programs that already send your listens keep working, whatever you choose."),
        form);
    return section;
}
