import { api } from "../shell/api.js";
import { element } from "../components/dom.js";
import { FormField, secretField } from "../components/form-field.js";
import { savingForm } from "../components/saving-form.js";
import { backToChecklist, outsideLink, savedKey, setupView, troubleView } from "./setup-view.js";

const path = "/v1/setup/ticketmaster";

export function show(view) {
    const { signal } = view;
    return setupView(view, {
        id: "ticketmaster", title: "Ticketmaster",
        instructions: [
            element("p", {}, "Backline looks for concerts at Ticketmaster, with a key of yours, which is free, and"
                + " marks those in your city."),
            element("ol", { class: "guide" },
                element("li", {}, "Open the ",
                    outsideLink("https://developer.ticketmaster.com/", "Ticketmaster Developer Portal"),
                    " and make an account."),
                element("li", {}, "Under “My Apps”, copy the Consumer Key of your app."),
                element("li", {}, "Paste it here. Backline tries it once before it keeps it.")),
        ],
        content: (step) => [
            troubleView(step), savedKey(step, { path, name: "key", signal }), form(step, signal)],
    });
}

function form(step, signal) {
    // A key that works may stay as it is while the city changes; one that does not has to be replaced.
    const mayStay = Boolean(step.maskedKey) && step.state !== "needsAttention";
    const key = secretField({
        name: "apiKey", label: mayStay ? "New API key" : "API key", placeholder: step.maskedKey, required: !mayStay,
        hint: mayStay ? "Leave it empty to keep the saved key." : "",
    });
    const city = new FormField({
        name: "city", label: "City", autocomplete: "address-level2", maxlength: "200", value: step.city, required: true,
        hint: "Where you live, such as Prague.",
    });
    return savingForm({
        fields: [key, city], refused: key, signal, busy: "Checking with Ticketmaster …",
        check: () => {
            if (!key.value && !mayStay) return { field: key, words: "Paste your Ticketmaster API key first." };
            return city.value ? null : { field: city, words: "Type the city you live in." };
        },
        save: () => api.put(path, { ...(key.value && { apiKey: key.value }), city: city.value }, { signal }),
        saved: () => backToChecklist("Ticketmaster is set up.", signal),
    });
}
