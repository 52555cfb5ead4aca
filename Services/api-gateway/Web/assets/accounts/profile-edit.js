import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { audiences } from "./audiences.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { longDate } from "../ui/formats.js";
import { picturePart } from "./picture-part.js";
import { problemView } from "../ui/problem-view.js";
import { navigate } from "../shell/navigate.js";
import { savingForm } from "../ui/saving-form.js";
import { session } from "../shell/session.js";
import { usernameField } from "./username-field.js";

export function show({ main, signal }) {
    const container = element("div", { class: "profile-details" }, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/profile" }, "← Profile")),
        element("h1", {}, "Edit profile"),
        container));
    load();
    return "Edit profile";

    async function load() {
        try {
            const me = await api.get("/v1/me", { signal });
            container.replaceChildren(picturePart(me, { signal }), form(me, signal));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            container.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }
}

function form(me, signal) {
    // It cannot be changed for a while after the last change.
    const username = me.usernameChangeableAt ? null
        : usernameField({ value: me.username, hint: "You can change it every 30 days." });
    const bio = new FormField({ name: "bio", label: "About you", tag: "textarea", rows: "4", maxlength: "500" });
    bio.input.value = me.bio ?? "";
    const fields = [
        username,
        new FormField({
            name: "displayName", label: "Display name", value: me.displayName, autocomplete: "name", maxlength: "100",
        }),
        bio,
        new FormField({
            name: "homeCity", label: "Home city", value: me.homeCity, autocomplete: "address-level2", maxlength: "100",
        }),
        new FormField({
            name: "timeZone", label: "Time zone", value: me.timeZone, maxlength: "100", spellcheck: "false",
            hint: `Your stats use it, for example ${Intl.DateTimeFormat().resolvedOptions().timeZone}. `
                + "Without one, they use UTC.",
        }),
    ].filter(Boolean);
    const visibility = element("fieldset", {},
        element("legend", {}, "Who can see your profile"),
        Object.entries(audiences).map(([value, text]) => element("label", { class: "option" },
            element("input", {
                type: "radio", name: "profileVisibility", value, checked: value === me.profileVisibility,
            }), text)),
        element("p", { class: "hint" }, "With “Your followers”, others can find your name and picture, "
            + "and ask before they follow you. With “Only you”, nobody can find you, and your followers can no longer "
            + "see your profile."));
    const statistics = option("Show what I listen to on my profile", me.showListeningStats);
    const former = me.formerUsername && option(
        `Redirect my former username, ${me.formerUsername.username}, to my profile until `
            + `${longDate(me.formerUsername.heldUntil)}`, me.formerUsername.leadsOn);
    const made = savingForm({
        fields, signal,
        // Nobody else could see it.
        content: [me.hasOthers && visibility, me.hasOthers && statistics.element, former?.element],
        check: () => username?.value === "" ? { field: username, text: "Enter a username." } : null,
        save: () => api.patch("/v1/me", {
            // An empty field clears its value. The username is never empty.
            ...Object.fromEntries(fields.map(({ name, value }) => [name, value || null])),
            ...(me.hasOthers && {
                profileVisibility: visibility.querySelector(":checked").value,
                showListeningStats: statistics.isChecked,
            }),
            ...(former && { formerUsernameLeadsOn: former.isChecked }),
        }, { signal }),
        saved: async (changed) => {
            session.rename(changed.username);
            await navigate("/profile");
            announce("Your profile was saved.");
        },
    });
    if (!username) made.prepend(fixedUsername(me));
    return made;
}

function fixedUsername({ username, usernameChangeableAt }) {
    return element("div", { class: "field" },
        element("p", {}, "Username: ", element("strong", {}, element("bdi", {}, username))),
        element("p", { class: "hint" }, `You can choose another one from ${longDate(usernameChangeableAt)}.`));
}

function option(text, isChecked) {
    const input = element("input", { type: "checkbox", checked: isChecked });
    return {
        element: element("label", { class: "option" }, input, text),
        get isChecked() {
            return input.checked;
        },
    };
}
