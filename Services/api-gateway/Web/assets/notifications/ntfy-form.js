import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { FormField, secretField } from "../ui/form-field.js";
import { freshUUID } from "../ui/fresh-uuid.js";
import { savingForm } from "../ui/saving-form.js";

const publicServer = "https://ntfy.sh";

/** The form that adds an ntfy topic. `added()` is called afterwards. */
export function ntfyForm({ signal, added }) {
    const plain = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
    const server = new FormField({
        name: "ntfy.server", label: "Server", type: "url", value: publicServer, maxlength: "300", ...plain,
        hint: "Your own server, or the public one.",
    });
    const topic = new FormField({
        name: "ntfy.topic", label: "Topic", maxlength: "64", ...plain,
        hint: "Letters, digits, hyphens and underscores. Without an account at the server, everybody who knows the "
            + "topic can read your notifications: choose one that nobody guesses.",
    });
    const token = secretField({
        name: "ntfy.token", label: "Access token (optional)", maxlength: "200",
        hint: "Only for a topic that is protected. It is stored encrypted, and never shown again.",
    });
    // The id of the topic that is being added: a repetition after a lost answer adds no second one.
    let id = freshUUID();
    const form = savingForm({
        fields: [server, topic, token], refused: topic, signal, action: "Add topic", busy: "Adding the topic …",
        check: () => {
            if (!server.value) return { field: server, text: "Enter the address of the server." };
            return topic.value ? null : { field: topic, text: "Enter a topic." };
        },
        save: () => api.put(`/v1/me/push-targets/${id}`, {
            ntfy: { server: server.value, topic: topic.value, ...(token.value && { token: token.value }) },
        }, { signal }),
        saved: async () => {
            id = freshUUID();
            topic.input.value = "";
            token.input.value = "";
            announce("The topic was added.");
            await added();
        },
    });
    form.classList.remove("card");
    return element("details", { class: "disclosure" },
        element("summary", {}, "Add an ntfy topic"),
        element("div", { class: "ntfy-form" },
            element("p", { class: "secondary" },
                "The app ntfy shows notifications on phones and computers, also where browsers cannot."),
            form));
}
