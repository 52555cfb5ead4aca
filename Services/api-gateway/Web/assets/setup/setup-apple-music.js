import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { FormField, secretField } from "../ui/form-field.js";
import { savingForm } from "../ui/saving-form.js";
import { backToChecklist, outsideLink, savedKey, setupView, troubleView } from "./setup-view.js";

const path = "/v1/setup/apple-music";

export function show(view) {
    const { signal } = view;
    return setupView(view, {
        id: "appleMusic", title: "Apple Music",
        instructions: [
            element("p", {}, "This is optional, and needs a membership in Apple's developer program. Your private key"
                + " signs Backline's requests, and your user token gives access to your library."),
            element("ol", { class: "guide" },
                element("li", {}, "Open ", outsideLink("https://developer.apple.com/account/resources/authkeys/list",
                    "Apple's developer account"), " and make a key for Media Services."),
                element("li", {}, "Download the key. Note its key ID and your team ID."),
                element("li", {}, "Enter them here with your Music user token. Backline tries them once before it saves"
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
            hint: "The whole .p8 file, with its first and last line.",
        }),
        secretField({ name: "userToken", label: "Music user token" }),
    ];
    return savingForm({
        fields, refused: fields[2], signal, busy: "Checking with Apple Music …",
        check: () => {
            const empty = fields.find(({ value }) => !value);
            return empty ? { field: empty, text: "Fill in this field, too." } : null;
        },
        save: () => api.put(path, Object.fromEntries(fields.map(({ name, value }) => [name, value])), { signal }),
        saved: () => backToChecklist("Apple Music is connected.", signal),
    });
}
