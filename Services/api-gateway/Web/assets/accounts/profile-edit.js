import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { audiences } from "./audiences.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { problemView } from "../ui/problem-view.js";
import { navigate } from "../shell/navigate.js";
import { savingForm } from "../ui/saving-form.js";
import { session } from "../shell/session.js";

export function show({ main, signal }) {
    const place = element("div", {}, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/profile" }, "← Profile")),
        element("h1", {}, "Edit profile"),
        place));
    load();
    return "Edit profile";

    async function load() {
        try {
            place.replaceChildren(form(await api.get("/v1/me", { signal }), signal));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            place.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }
}

function form(me, signal) {
    const username = new FormField({
        name: "username", label: "Username", value: me.username, autocomplete: "username", maxlength: "100",
        required: true, spellcheck: "false", autocapitalize: "none",
    });
    const bio = new FormField({ name: "bio", label: "About you", tag: "textarea", rows: "4", maxlength: "500" });
    bio.input.value = me.bio ?? "";
    const fields = [
        username,
        new FormField({
            name: "displayName", label: "Display name", value: me.displayName, autocomplete: "name", maxlength: "100",
        }),
        bio,
        new FormField({
            name: "pictureURL", label: "Picture URL", value: me.pictureURL, type: "url", maxlength: "2000",
            autocomplete: "photo", placeholder: "https://",
        }),
        new FormField({
            name: "homeCity", label: "Home city", value: me.homeCity, autocomplete: "address-level2", maxlength: "100",
        }),
        new FormField({
            name: "timeZone", label: "Time zone", value: me.timeZone, maxlength: "100", spellcheck: "false",
            hint: `Your stats use it, for example ${Intl.DateTimeFormat().resolvedOptions().timeZone}. `
                + "Without one, they use UTC.",
        }),
    ];
    const visibility = element("fieldset", {},
        element("legend", {}, "Who can see your profile"),
        Object.entries(audiences).map(([value, text]) => element("label", { class: "option" },
            element("input", {
                type: "radio", name: "profileVisibility", value, checked: value === me.profileVisibility,
            }), text)));
    const statistics = element("input", { type: "checkbox", checked: me.showListeningStats });
    return savingForm({
        fields, signal,
        content: [visibility, element("label", { class: "option" }, statistics, "Show what I listen to on my profile")],
        check: () => username.value ? null : { field: username, text: "Enter a username." },
        save: () => api.patch("/v1/me", {
            // An empty field clears its value. The username is never empty.
            ...Object.fromEntries(fields.map(({ name, value }) => [name, value || null])),
            profileVisibility: visibility.querySelector(":checked").value,
            showListeningStats: statistics.checked,
        }, { signal }),
        saved: async (changed) => {
            session.rename(changed.username);
            await navigate("/profile");
            announce("Your profile was saved.");
        },
    });
}
