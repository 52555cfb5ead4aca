import { api } from "../shell/api.js";
import { navigate } from "../shell/navigate.js";
import { announce } from "../ui/announcer.js";
import { confirmed } from "../ui/confirmation.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { outsideLink } from "../ui/outside-link.js";
import { messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";

const path = "/v1/setup/spotify/app";
const dashboard = "https://developer.spotify.com/dashboard";

/**
 * The person's own Spotify app: its client ID, and how to register one. `null` if Spotify does not redirect to this
 * site's address. It is open if nothing else helps.
 */
export function ownAppView({ app }, { isOpen, signal }) {
    if (!app.redirectURI) return null;
    const isNeeded = !app.installationApp && !app.clientId;
    return element("details", { class: "card other-way disclosure", open: isOpen || isNeeded },
        element("summary", {}, app.clientId ? "Your own Spotify app" : "Use your own Spotify app"),
        app.clientId && savedApp(app, signal),
        element("div", { class: "instructions" },
            element("p", {}, app.installationApp
                ? "Spotify lets five people use an app in development mode, such as this Backline’s. If there is no"
                    + " place left for you, you can register your own app."
                : "This Backline has no Spotify app. To connect Spotify, register your own app."),
            element("p", { class: "caution" }, element("strong", {}, "Before you register an app: "),
                "since February 2026 its owner needs Spotify Premium. Without Premium, Spotify answers none of the"
                + " app’s requests. You need neither an app nor Premium to ",
                element("a", { href: "/library/import" }, "import your library from a file"), "."),
            element("ol", { class: "guide" },
                element("li", {}, "Open ", outsideLink(dashboard, "Spotify’s developer dashboard"),
                    ", sign in with a Premium account, and choose “Create app” and “Web API”."),
                element("li", {}, "Enter this redirect URI: ", redirectURI(app.redirectURI)),
                element("li", {}, "If you connect an account other than the owner’s, add it to the app’s users."),
                element("li", {}, "Copy the app’s client ID and paste it here. Backline needs no client secret."))),
        form(app, signal));
}

function redirectURI(address) {
    const copy = element("button", { class: "button small", type: "button", onclick: write }, "Copy");
    return element("span", { class: "to-copy" }, element("code", {}, address), copy);

    async function write() {
        try {
            await navigator.clipboard.writeText(address);
            copy.textContent = "Copied";
            announce("The redirect URI was copied.");
        } catch {
            // Browsers allow this only at https addresses and on localhost.
            copy.textContent = "Copy it by hand";
        }
    }
}

function form(app, signal) {
    const clientId = new FormField({
        name: "clientId", label: app.clientId ? "New client ID" : "Client ID", required: true, autocomplete: "off",
        autocapitalize: "none", spellcheck: "false", maxlength: "200",
    });
    const made = savingForm({
        fields: [clientId], refused: clientId, signal,
        check: () => clientId.value ? null : { field: clientId, text: "Paste the client ID of your app first." },
        save: () => api.put(path, { clientId: clientId.value }, { signal }),
        saved: () => showAgain("Your app was saved. Connect with Spotify to use it."),
    });
    // The enclosing part is already a card.
    made.classList.remove("card");
    return made;
}

function savedApp(app, signal) {
    const error = element("p", { class: "field-error", role: "alert" });
    return element("div", { class: "saved-key" },
        element("p", {}, "Backline uses your app with the client ID ", element("code", {}, app.clientId), "."),
        element("button", { class: "button small", type: "button", onclick: remove }, "Remove client ID"), error);

    async function remove() {
        const isMeant = await confirmed({
            title: "Remove the client ID?", action: "Remove",
            text: `This ends the connection through your app.${app.installationApp
                ? " You can then connect with Spotify again through this Backline’s app." : ""}`,
        });
        if (!isMeant || signal.aborted) return;
        error.textContent = "";
        try {
            await api.delete(path, { signal });
            await showAgain("Backline removed your app’s client ID.");
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}

async function showAgain(sentence) {
    await navigate("/setup/spotify", { replaces: true });
    announce(sentence);
}
