import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { FormField, secretField } from "../ui/form-field.js";
import { outsideLink } from "../ui/outside-link.js";
import { savingForm } from "../ui/saving-form.js";
import { backToChecklist, savedKey, setupView, stepProblemView } from "./setup-view.js";

const path = "/v1/setup/ticketmaster";

export function show(view) {
    const { signal } = view;
    return setupView(view, {
        id: "ticketmaster", title: "Ticketmaster",
        instructions: [
            element("p", {}, "Backline searches Ticketmaster for concerts, and marks those in your city. It needs"
                + " your own API key, which is free."),
            element("ol", { class: "guide" },
                element("li", {}, "Open the ",
                    outsideLink("https://developer.ticketmaster.com/", "Ticketmaster Developer Portal"),
                    " and create an account."),
                element("li", {}, "Under “My Apps”, copy the consumer key of your app."),
                element("li", {}, "Paste it here. Backline tests it before saving it.")),
        ],
        content: (step) => [
            stepProblemView(step), savedKey(step, { path, name: "key", signal }), form(step, signal)],
    });
}

function form(step, signal) {
    // The city can change without a new key, unless the saved key does not work.
    const mayStay = Boolean(step.maskedKey) && step.state !== "needsAttention";
    const key = secretField({
        name: "apiKey", label: mayStay ? "New API key" : "API key", placeholder: step.maskedKey, required: !mayStay,
        hint: mayStay ? "Leave this empty to keep the saved key." : "",
    });
    const city = new FormField({
        name: "city", label: "City", autocomplete: "address-level2", maxlength: "200", value: step.city, required: true,
        hint: "The city you live in, such as Prague.",
    });
    return savingForm({
        fields: [key, city], refused: key, signal, busy: "Checking with Ticketmaster …",
        check: () => {
            if (!key.value && !mayStay) return { field: key, text: "Paste your Ticketmaster API key first." };
            return city.value ? null : { field: city, text: "Enter the city you live in." };
        },
        save: () => api.put(path, { ...(key.value && { apiKey: key.value }), city: city.value }, { signal }),
        saved: () => backToChecklist("Ticketmaster is set up.", signal),
    });
}
