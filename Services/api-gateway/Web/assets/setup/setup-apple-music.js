import { api } from "../shell/api.js";
import { element } from "../components/dom.js";
import { FormField, secretField } from "../components/form-field.js";
import { savingForm } from "../components/saving-form.js";
import { backToChecklist, outsideLink, savedKey, setupView, troubleView } from "./setup-view.js";

const path = "/v1/setup/apple-music";

export function show(view) {
    const { signal } = view;
    return setupView(view, {
        id: "appleMusic", title: "Apple Music",
        instructions: [
            element("p", {}, "This is optional. Apple asks for a membership of its developer program: a private key of"
                + " yours signs for Backline, and a user token opens your library."),
            element("ol", { class: "guide" },
                element("li", {}, "Open ", outsideLink("https://developer.apple.com/account/resources/authkeys/list",
                    "Apple's developer account"), " and make a key for Media Services."),
                element("li", {}, "Download the key, and note its id and the id of your team."),
                element("li", {}, "Enter them here with your Music user token. Backline tries them once before it keeps"
                    + " them.")),
        ],
        content: (step) => [
            troubleView(step), savedKey(step, { path, name: "keys", signal }), form(signal)],
    });
}

function form(signal) {
    const plain = { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "200" };
    const fields = [
        new FormField({ name: "teamId", label: "Team ID", ...plain }),
        new FormField({ name: "keyId", label: "Key ID", ...plain }),
        secretField({
            name: "privateKey", label: "Private key", tag: "textarea", rows: "5",
            hint: "All of the .p8 file, its first and last line included.",
        }),
        secretField({ name: "userToken", label: "Music user token" }),
    ];
    return savingForm({
        fields, refused: fields[2], signal, busy: "Checking with Apple Music …",
        check: () => {
            const empty = fields.find(({ value }) => !value);
            return empty ? { field: empty, words: "This is needed as well." } : null;
        },
        save: () => api.put(path, Object.fromEntries(fields.map(({ name, value }) => [name, value])), { signal }),
        saved: () => backToChecklist("Apple Music is connected.", signal),
    });
}
