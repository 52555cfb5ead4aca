import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { CredentialList } from "./credential-list.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { clockTime, longDate } from "../ui/formats.js";
import { navigate } from "../shell/navigate.js";
import { savingForm } from "../ui/saving-form.js";
import { session } from "../shell/session.js";

export function show({ main, signal }) {
    const tokens = new CredentialList({
        signal, title: "API tokens", path: "/v1/me/tokens", action: "Revoke", ended: "The token was revoked.",
        lead: "Your programs sign in with these. Revoke the tokens that you no longer use.",
        question: "Programs that use this token are signed out immediately. Tokens created with it end too.",
        name: ({ name }) => name, mayEnd: () => true,
        text: (token) => [
            token.lastUsedAt ? `Last used ${clockTime(token.lastUsedAt)}` : "Never used",
            `created ${longDate(token.createdAt)}`, token.expiresAt && `expires ${longDate(token.expiresAt)}`,
            token.madeWith && "ends with the token that created it",
            token.scope === "listening" && "can only send listens",
        ].filter(Boolean).join(" · "),
    });
    tokens.element.append(newToken(tokens, signal));
    const sessions = new CredentialList({
        signal, title: "Devices", path: "/v1/me/sessions", action: "Sign out", ended: "The device was signed out.",
        lead: "Browsers where you are signed in.", question: "You will have to sign in there again.",
        name: (entry) => entry.isCurrent ? "This device" : deviceName(entry.userAgent),
        mayEnd: ({ isCurrent }) => !isCurrent,
        text: (entry) => [
            `Last seen ${clockTime(entry.lastUsedAt)}`, entry.isCurrent && deviceName(entry.userAgent),
            `signed in ${longDate(entry.createdAt)}`].filter(Boolean).join(" · "),
    });
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/profile" }, "← Profile")),
        element("h1", {}, "Settings"),
        element("section", { class: "card settings-part", "aria-labelledby": "music-services" },
            element("h2", { id: "music-services" }, "Music services"),
            element("p", { class: "secondary" }, "Sync or disconnect Spotify and Apple Music."),
            element("div", { class: "detail-buttons" },
                element("a", { class: "button", href: "/library/settings" }, "Library settings"))),
        element("section", { class: "card settings-part", "aria-labelledby": "made-lists" },
            element("h2", { id: "made-lists" }, "Lists made for you"),
            element("p", { class: "secondary" }, "Manage your blends and the songs that are not for you."),
            element("div", { class: "detail-buttons" },
                element("a", { class: "button", href: "/explore/blends" }, "Blends"),
                element("a", { class: "button", href: "/explore/dismissals" }, "Not for you"))),
        tokens.element, sessions.element,
        element("section", { class: "card settings-part", "aria-labelledby": "your-data" },
            element("h2", { id: "your-data" }, "Your data"),
            element("p", { class: "secondary" }, "Everything that Backline stores about you, except keys and tokens."),
            element("div", { class: "detail-buttons" },
                element("a", { class: "button", href: "/v1/me/export", download: true }, "Download my data"))),
        element("section", { class: "settings-part", "aria-labelledby": "deletion" },
            element("h2", { id: "deletion" }, "Delete account"),
            deletion(signal))));
    return "Settings";
}

/** The form that creates a token and shows it once. */
function newToken(list, signal) {
    const name = new FormField({
        name: "name", label: "Name of the new token", maxlength: "100", autocomplete: "off",
        hint: "What you use it for, such as “Laptop”.",
    });
    const place = element("div", {});
    const form = savingForm({
        fields: [name], signal, action: "Create token", busy: "Creating the token …",
        check: () => name.value ? null : { field: name, text: "Give the token a name first." },
        save: () => api.post("/v1/me/tokens", { name: name.value }, { signal }),
        saved: async ({ token }) => {
            name.input.value = "";
            place.replaceChildren(shownOnce(token));
            announce("The token was created. Copy it now: it will not be shown again.");
            await list.load();
        },
    });
    form.classList.remove("card");
    return element("div", { class: "token-form" }, place, form);
}

function shownOnce(token) {
    const copy = element("button", { class: "button small", type: "button", onclick: write }, "Copy");
    return element("div", { class: "new-token" },
        element("p", {}, "Copy it now. It will not be shown again."), element("code", {}, token), copy);

    async function write() {
        try {
            await navigator.clipboard.writeText(token);
            copy.textContent = "Copied";
            announce("Copied.");
        } catch {
            // Browsers allow this only at https addresses and on localhost.
            copy.textContent = "Copy it by hand";
        }
    }
}

function deletion(signal) {
    const username = new FormField({
        name: "username", label: `Type your username, ${session.user.name}, to confirm`, autocomplete: "off",
        spellcheck: "false", autocapitalize: "none",
        hint: "You are signed out immediately. Backline erases your profile, keys, linked accounts and all your other"
            + " data within seconds, or minutes if there is a lot. Earlier backups still contain it.",
    });
    const form = savingForm({
        fields: [username], refused: username, signal, action: "Delete my account", busy: "Deleting …",
        check: () => username.value === session.user.name
            ? null : { field: username, text: "This is not your username." },
        save: () => api.delete("/v1/me", { body: { username: username.value } }),
        saved: async () => {
            session.expire();
            await navigate("/sign-in", { replaces: true });
            announce("Your account was deleted.");
        },
    });
    form.querySelector("[type=submit].primary").className = "button danger";
    return form;
}

/** "Firefox on Linux", as far as the user agent identifies them. */
function deviceName(userAgent) {
    const find = (names) => names.find(([mark]) => userAgent?.includes(mark))?.[1];
    const browser = find([["Edg/", "Edge"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]]);
    const system = find([
        ["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS", "macOS"],
        ["Linux", "Linux"]]);
    return [browser ?? "A browser", system && `on ${system}`].filter(Boolean).join(" ");
}
