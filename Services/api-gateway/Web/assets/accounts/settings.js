import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { CredentialList } from "./credential-list.js";
import { deletion } from "./deletion.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { clockTime, longDate } from "../ui/formats.js";
import { savingForm } from "../ui/saving-form.js";
import { shownOnce } from "./shown-once.js";

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
        element("section", { class: "card settings-part", "aria-labelledby": "calendar" },
            element("h2", { id: "calendar" }, "Calendar"),
            element("p", { class: "secondary" }, "Subscribe to your artists’ concerts in a calendar program."),
            element("div", { class: "detail-buttons" },
                element("a", { class: "button", href: "/profile/calendar" }, "Calendar settings"))),
        element("section", { class: "card settings-part", "aria-labelledby": "messages" },
            element("h2", { id: "messages" }, "Messages"),
            element("p", { class: "secondary" },
                "Choose who may write to you, and whether others see what you have read."),
            element("div", { class: "detail-buttons" },
                element("a", { class: "button", href: "/profile/messages" }, "Message settings"))),
        element("section", { class: "card settings-part", "aria-labelledby": "notifications" },
            element("h2", { id: "notifications" }, "Notifications"),
            element("p", { class: "secondary" }, "Choose what you are notified of, where, and when not."),
            element("div", { class: "detail-buttons" },
                element("a", { class: "button", href: "/profile/notifications" }, "Notification settings"))),
        tokens.element, sessions.element, invitationLink(signal),
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

/** A link to the page of invitations, for those who may invite others. */
function invitationLink(signal) {
    const container = element("div", {});
    // The page works without it.
    api.get("/v1/me", { signal }).catch(() => null).then((me) => {
        if (!me?.mayInvite) return;
        container.append(element("section", { class: "card settings-part", "aria-labelledby": "invitations" },
            element("h2", { id: "invitations" }, "Invitations"),
            element("p", { class: "secondary" }, "Give somebody an account on this Backline with a link."),
            element("div", { class: "detail-buttons" },
                element("a", { class: "button", href: "/profile/invitations" }, "Invite somebody"))));
    });
    return container;
}

/** The form that creates a token and shows it once. */
function newToken(list, signal) {
    const name = new FormField({
        name: "name", label: "Name of the new token", maxlength: "100", autocomplete: "off",
        hint: "What you use it for, such as “Laptop”.",
    });
    const container = element("div", {});
    const form = savingForm({
        fields: [name], signal, action: "Create token", busy: "Creating the token …",
        check: () => name.value ? null : { field: name, text: "Give the token a name first." },
        save: () => api.post("/v1/me/tokens", { name: name.value }, { signal }),
        saved: async ({ token }) => {
            name.input.value = "";
            container.replaceChildren(shownOnce(token, "the token"));
            announce("The token was created. Copy it now: it will not be shown again.");
            await list.load();
        },
    });
    form.classList.remove("card");
    return element("div", { class: "token-form" }, container, form);
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
