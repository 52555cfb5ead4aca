import { forgetDrafts } from "../shell/drafts.js";
import { navigate } from "../shell/navigate.js";
import { deleteWithRecentSignIn } from "../shell/recent-sign-in.js";
import { session } from "../shell/session.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { savingForm } from "../ui/saving-form.js";

/** The form that erases the person, with what it erases and what stays. */
export function deletion(signal) {
    const username = new FormField({
        name: "username", label: `Type your username, ${session.user.name}, to confirm`, autocomplete: "off",
        spellcheck: "false", autocapitalize: "none",
    });
    const form = savingForm({
        fields: [username], refused: username, signal, action: "Delete my account", busy: "Deleting …",
        check: () => username.value === session.user.name
            ? null : { field: username, text: "This is not your username." },
        save: () => deleteWithRecentSignIn("/v1/me", {
            body: { username: username.value }, action: "Delete my account", signal,
        }),
        saved: async (isDeleted) => {
            if (!isDeleted) return;
            forgetDrafts();
            session.expire();
            await navigate("/sign-in", { replaces: true });
            announce("Your account was deleted.");
        },
    });
    form.prepend(
        element("p", {}, "You will be signed out immediately, and nobody here will be able to see you. Backline "
            + "erases your profile, keys, connected accounts, follows in both directions, and all other data within "
            + "seconds, or minutes if there is a lot."),
        element("p", {}, "What stays: earlier backups; the songs, but not your name, in blends that others made with "
            + "you; reports by you and about you, until administrators have decided, for 90 days at most; and a hash "
            + "of your usernames, so that nobody else gets them for a year."));
    form.querySelector("[type=submit].primary").className = "button danger";
    return form;
}
