import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { FormField, secretField } from "../ui/form-field.js";
import { longDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { outsideLink } from "../ui/outside-link.js";
import { messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";
import { AppleSignIn } from "./apple-sign-in.js";
import { disconnectionConfirmed } from "./disconnecting.js";
import { backToChecklist, setupView, stepProblemView } from "./setup-view.js";

const path = "/v1/setup/apple-music";
const accountSettings = "https://account.apple.com/";

export function show(view) {
    const { signal } = view;
    return setupView(view, {
        id: "appleMusic", title: "Apple Music",
        instructions: element("p", {}, "This is optional. Backline reads your Apple Music library. You give it"
            + " access with your Apple account."),
        content: (step) => [
            stepProblemView(step), connectedView(step, signal), ...connectViews(step, signal)],
    });
}

/** With the installation's developer key, people sign in with Apple. Without it, they need their own key and token. */
function connectViews(step, signal) {
    if (!step.installationKey) return [guide(), form(step, signal)];
    return [step.state !== "complete" && signInView(step, signal), tokenView(step, signal)];
}

function signInView(step, signal) {
    const signIn = new AppleSignIn();
    const error = element("p", { class: "field-error", role: "alert" });
    const button = element("button", { class: "button primary large", type: "button", onclick: act }, icon("music"));
    const label = element("span", {});
    button.append(label);
    const text = step.state === "needsAttention" ? "Sign in with Apple again" : "Sign in with Apple";
    prepare();
    return element("div", { class: "connect" },
        element("p", {}, "Apple opens a window where you sign in with your Apple account and allow access. Backline"
            + " then stores a token for your library, and never sees your password."),
        button, error);

    function setBusy(words) {
        button.setAttribute("aria-disabled", String(words !== null));
        label.textContent = words ?? text;
    }

    /** Makes the button ready for a click. `sentence` says why the last attempt failed. */
    async function prepare(sentence = "") {
        setBusy("Preparing …");
        error.textContent = sentence;
        try {
            await signIn.prepare(signal);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
        setBusy(null);
    }

    async function act() {
        if (button.getAttribute("aria-disabled") === "true") return;
        // After a failure, or when the page has been open for an hour.
        if (!signIn.isReady) return await prepare();
        error.textContent = "";
        setBusy("Waiting for Apple …");
        announce("Opening Apple’s window …");
        let sentence = "Apple did not give access, so nothing has changed. If no window opened, allow pop-up windows"
            + " for this site and try again.";
        try {
            const userToken = await signIn.signIn();
            if (signal.aborted) return;
            if (userToken) {
                setBusy("Checking with Apple Music …");
                await api.put(path, { userToken }, { signal });
                return await backToChecklist("Apple Music is connected.", signal);
            }
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            sentence = messageFor(problem);
        }
        button.focus();
        // What Apple's script stored during this attempt must not be used again.
        await prepare(sentence);
    }
}

/** For people who have a token already. */
function tokenView(step, signal) {
    const fields = form(step, signal);
    // The enclosing part is already a card.
    fields.classList.remove("card");
    return element("details", { class: "card other-way disclosure" },
        element("summary", {}, "Enter a music user token instead"),
        element("div", { class: "instructions" },
            element("p", {}, "If you have your own token, paste it here. Backline tests it before saving it.")),
        fields);
}

/** The fields that this installation asks for: if it has no developer key, people enter their own. */
function fieldNames(step) {
    return step.installationKey ? ["userToken"] : ["teamId", "keyId", "privateKey", "userToken"];
}

function guide() {
    return element("div", { class: "instructions" },
        element("p", {}, "This Backline has no key from Apple’s developer program, so you need your own membership and"
            + " key. Your key signs Backline’s requests."),
        element("ol", { class: "guide" },
            element("li", {}, "Open ", outsideLink("https://developer.apple.com/account/resources/authkeys/list",
                "Apple’s developer account"), " and create a key for Media Services."),
            element("li", {}, "Download the key. Note its key ID and your team ID."),
            element("li", {}, "Enter them here with your music user token. Backline tests them before saving them.")));
}

function connectedView(step, signal) {
    if (step.state === "incomplete") return null;
    const error = element("p", { class: "field-error", role: "alert" });
    const isComplete = step.state === "complete";
    const since = step.connectedAt ? ` since ${longDate(step.connectedAt)}` : "";
    return element("section", { class: "card saved-key", "aria-label": "Connection" },
        element("p", { class: "connected" }, icon(isComplete ? "check" : "alert"),
            `${isComplete ? "Connected" : "Was connected"}${since}.`),
        step.maskedKey && element("dl", { class: "facts" }, fact("Saved token", step.maskedKey)),
        element("button", { class: "button", type: "button", onclick: disconnect }, "Disconnect"),
        element("p", {}, "You can also withdraw access at Apple: in Apple’s Music app, under your account and “Apps"
            + " with Access”, or in the settings of ", outsideLink(accountSettings, "your Apple account"), "."),
        error);

    async function disconnect() {
        error.textContent = "";
        try {
            const isMeant = await disconnectionConfirmed({
                source: "appleMusic", name: "Apple Music", signal,
                withdrawal: "If you signed in with Apple in this browser, that sign-in ends too. To withdraw"
                    + " access at Apple as well, open the settings of your Apple account.",
            });
            if (!isMeant) return;
            await api.delete(path, { signal });
            await backToChecklist(await ended(), signal);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    /** Ends the sign-in with Apple, and returns the message. Apple Music is disconnected even if this fails. */
    async function ended() {
        try {
            const hasEnded = step.installationKey && await new AppleSignIn().endSignIn(signal);
            return hasEnded ? "Apple Music is disconnected, and your sign-in with Apple has ended."
                : "Apple Music is disconnected.";
        } catch {
            return "Apple Music is disconnected. Apple could not be reached, so withdraw access in the settings of"
                + " your Apple account.";
        }
    }
}

function form(step, signal) {
    const plain = { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "200" };
    const makers = {
        teamId: () => new FormField({ name: "teamId", label: "Team ID", ...plain }),
        keyId: () => new FormField({ name: "keyId", label: "Key ID", ...plain }),
        privateKey: () => secretField({
            name: "privateKey", label: "Private key", tag: "textarea", rows: "5",
            hint: "The whole .p8 file, including its first and last line.",
        }),
        userToken: () => secretField({ name: "userToken", label: "Music user token" }),
    };
    const fields = fieldNames(step).map((name) => makers[name]());
    return savingForm({
        fields, signal, busy: "Checking with Apple Music …",
        refused: fields.find(({ name }) => name === "privateKey") ?? fields.at(-1),
        check: () => {
            const empty = fields.find(({ value }) => !value);
            return empty ? { field: empty, text: "Fill in this field, too." } : null;
        },
        save: () => api.put(path, Object.fromEntries(fields.map(({ name, value }) => [name, value])), { signal }),
        saved: () => backToChecklist("Apple Music is connected.", signal),
    });
}
