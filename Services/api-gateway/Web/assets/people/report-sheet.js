import { api } from "../shell/api.js";
import { FormField } from "../ui/form-field.js";
import { savingForm } from "../ui/saving-form.js";
import { openSheet } from "../ui/sheet.js";
import { toast } from "../ui/toast.js";
import { nameOf, pathOf } from "../ui/person-names.js";

/** Asks what is wrong with a person, and reports it to the administrators. */
export async function report(person, { signal }) {
    const name = nameOf(person);
    const isSent = await openSheet({
        title: `Report ${name}`,
        content: (close) => {
            const text = new FormField({
                name: "text", label: "What is wrong?", tag: "textarea", rows: "5", maxlength: "1000",
                hint: `The administrators of this Backline receive your text, your username and ${name}’s profile as `
                    + `it is now. ${name} is not notified.`,
            });
            const form = savingForm({
                fields: [text], refused: text, signal, action: "Send the report", busy: "Sending …",
                check: () => text.value ? null : { field: text, text: "Say what is wrong." },
                save: () => api.post(pathOf(person, "/report"), { text: text.value }, { signal }),
                saved: () => close(true),
            });
            form.classList.remove("card");
            return form;
        },
    });
    if (isSent) toast("Your report was sent to the administrators.");
}
