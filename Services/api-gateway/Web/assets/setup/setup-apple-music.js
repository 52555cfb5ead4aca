import { api } from "../shell/api.js";
import { disconnectionConfirmed } from "./disconnecting.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { FormField, secretField } from "../ui/form-field.js";
import { longDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";
import { backToChecklist, outsideLink, setupView, troubleView } from "./setup-view.js";

const path = "/v1/setup/apple-music";
const accountSettings = "https://account.apple.com/";

export function show(view) {
    const { signal } = view;
    return setupView(view, {
        id: "appleMusic", title: "Apple Music",
        instructions: element("p", {}, "This is optional. Backline reads your library at Apple Music, and needs a token"
            + " that gives access to it."),
        content: (step) => [
            troubleView(step), connectedView(step, signal), guide(step), form(step, signal)],
    });
}

/** The fields that this installation asks for: without a developer key of its own, a person enters theirs. */
function fieldNames(step) {
    return step.installationKey ? ["userToken"] : ["teamId", "keyId", "privateKey", "userToken"];
}

function guide(step) {
    if (!fieldNames(step).includes("privateKey")) {
        return element("div", { class: "instructions" },
            element("p", {}, "Your Backline has its own key from Apple's developer program. So all that you enter is"
                + " your Music user token. Backline tries it once before it saves it."));
    }
    return element("div", { class: "instructions" },
        element("p", {}, "Your Backline has no key from Apple's developer program. So you need a membership and a key"
            + " of your own, which signs Backline's requests."),
        element("ol", { class: "guide" },
            element("li", {}, "Open ", outsideLink("https://developer.apple.com/account/resources/authkeys/list",
                "Apple's developer account"), " and make a key for Media Services."),
            element("li", {}, "Download the key. Note its key ID and your team ID."),
            element("li", {}, "Enter them here with your Music user token. Backline tries them once before it saves"
                + " them.")));
}

function connectedView(step, signal) {
    if (step.state === "incomplete") return null;
    const error = element("p", { class: "field-error", role: "alert" });
    const isComplete = step.state === "complete";
    const since = step.connectedAt ? ` since ${longDate(step.connectedAt)}` : "";
    return element("section", { class: "card saved-key", "aria-label": "Connection" },
        element("p", { class: "connected" }, icon(isComplete ? "check" : "alert"),
            `${isComplete ? "Connected" : "Was connected"}${since}.`),
        step.maskedKey && element("dl", { class: "facts" }, fact("Saved key", step.maskedKey)),
        element("button", { class: "button", type: "button", onclick: disconnect }, "Disconnect"),
        element("p", {}, "You can also withdraw the access in the settings of ",
            outsideLink(accountSettings, "your Apple account"), "."),
        error);

    async function disconnect() {
        error.textContent = "";
        try {
            const isMeant = await disconnectionConfirmed({
                source: "appleMusic", name: "Apple Music", signal,
                withdrawal: "To withdraw the access at Apple as well, open the settings of your Apple account.",
            });
            if (!isMeant) return;
            await api.delete(path, { signal });
            await backToChecklist("Apple Music is disconnected.", signal);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
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
            hint: "The whole .p8 file, with its first and last line.",
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
