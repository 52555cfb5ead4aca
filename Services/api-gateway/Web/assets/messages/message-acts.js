import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { confirmed } from "../ui/confirmation.js";
import { FormField } from "../ui/form-field.js";
import { messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";
import { openSheet } from "../ui/sheet.js";
import { toast } from "../ui/toast.js";

/**
 * The items of a message's menu, or `null` for one without a menu. `deleted()` is called when the person has deleted
 * their message, and `author` is what the sender is called.
 */
export function messageItems(message, { author, signal, deleted }) {
    if (message.state !== "shown") return null;
    return message.isMine
        ? [{ label: "Delete message", picture: "cross", action: () => deleteMessage(message, { signal, deleted }) }]
        : [{ label: "Report message", picture: "alert", action: () => report(message, { author, signal }) }];
}

function pathOf({ threadId, id }) {
    return `/v1/threads/${threadId}/messages/${id}`;
}

async function deleteMessage(message, { signal, deleted }) {
    const isMeant = await confirmed({
        title: "Delete this message?", action: "Delete message",
        text: "Its text and song disappear for both of you. Both still see that there was a message.",
    });
    if (!isMeant || signal.aborted) return;
    try {
        await api.delete(pathOf(message));
        if (signal.aborted) return;
        announce("The message was deleted.");
        deleted();
    } catch (problem) {
        if (!signal.aborted && problem.status !== 401) toast(messageFor(problem));
    }
}

/** Asks what is wrong with a message, and reports it to the administrators. */
async function report(message, { author, signal }) {
    const isSent = await openSheet({
        title: "Report message",
        content: (close) => {
            const text = new FormField({
                name: "text", label: "What is wrong?", tag: "textarea", rows: "5", maxlength: "1000",
                hint: "The administrators of this Backline receive your text, your username, this message and "
                    + `the profile of ${author} as it is now. ${author} is not notified.`,
            });
            const form = savingForm({
                fields: [text], refused: text, signal, action: "Send the report", busy: "Sending …",
                check: () => text.value ? null : { field: text, text: "Say what is wrong." },
                save: () => api.post(`${pathOf(message)}/report`, { text: text.value }, { signal }),
                saved: () => close(true),
            });
            form.classList.remove("card");
            return form;
        },
    });
    if (isSent) toast("Your report was sent to the administrators.");
}
