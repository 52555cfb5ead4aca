import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { secretField } from "../ui/form-field.js";
import { outsideLink } from "../ui/outside-link.js";
import { savingForm } from "../ui/saving-form.js";
import { backToChecklist, savedKey, setupView, stepProblemView } from "./setup-view.js";

const path = "/v1/setup/gemini";

export function show(view) {
    const { signal } = view;
    return setupView(view, {
        id: "gemini", title: "Gemini API key",
        instructions: [
            element("p", {}, "Backline asks Google’s Gemini for ideas. It needs your own API key, which is free."),
            element("ol", { class: "guide" },
                element("li", {}, "Open ", outsideLink("https://aistudio.google.com/apikey", "Google AI Studio"),
                    " and sign in with your Google account."),
                element("li", {}, "Choose “Create API key” and copy the key."),
                element("li", {}, "Paste it here. Backline tests it before saving it.")),
        ],
        content: (step) => [
            stepProblemView(step), savedKey(step, { path, name: "key", signal }), form(step, signal)],
    });
}

function form(step, signal) {
    const key = secretField({
        name: "apiKey", label: step.maskedKey ? "New API key" : "API key", placeholder: step.maskedKey,
        hint: step.maskedKey ? "Backline keeps the saved key until it has verified the new one." : "",
        required: true,
    });
    return savingForm({
        fields: [key], refused: key, signal, busy: "Checking the key with Google …",
        check: () => key.value ? null : { field: key, text: "Paste your Gemini API key first." },
        save: () => api.put(path, { apiKey: key.value }, { signal }),
        saved: () => backToChecklist("Your Gemini API key works and is saved.", signal),
    });
}
