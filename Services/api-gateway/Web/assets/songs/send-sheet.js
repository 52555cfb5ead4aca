import { FormField } from "../ui/form-field.js";
import { freshUUID } from "../ui/fresh-uuid.js";
import { nameOf } from "../ui/person-names.js";
import { savingForm } from "../ui/saving-form.js";
import { openSheet } from "../ui/sheet.js";
import { textCount, tooLong } from "../ui/text-count.js";
import { toast } from "../ui/toast.js";
import { RecipientPicker } from "./recipient-picker.js";
import { longestText, sendMessage, threadWith } from "./sending.js";
import { songSummary } from "./song-summary.js";

/** Asks for a person and a text, and sends them a song (`song.js`). */
export async function sendSong(song) {
    const leaving = new AbortController();
    const sent = await openSheet({
        title: `Send “${song.title}”`, content: (close) => sheet(song, close, leaving.signal),
    });
    leaving.abort();
    if (!sent) return;
    const name = nameOf(sent.person);
    toast(sent.isRequest ? `You sent “${song.title}” to ${name}. They see it once they accept your request.`
        : `You sent “${song.title}” to ${name}.`);
}

function sheet(song, close, signal) {
    const to = new RecipientPicker({ signal });
    const message = new FormField({ name: "text", label: "Message (optional)", tag: "textarea", rows: "3" });
    const count = textCount(message, longestText);
    // The same message, however often it has to be sent.
    let clientID = freshUUID();
    const form = savingForm({
        fields: [to, message], content: [count.element], refused: message, action: "Send", busy: "Sending …",
        // It is sent even if the person leaves the page.
        signal: new AbortController().signal,
        check: () => to.chosen ? tooLong(message, longestText)
            : { field: to, text: "Choose who to send the song to." },
        save: () => send(to.chosen),
        saved: close,
    });
    form.classList.remove("card");
    return [songSummary(song), form];

    async function send({ person, threadId, writing }) {
        const threadID = threadId ?? (await threadWith(person)).id;
        try {
            await sendMessage({ threadID, clientID, person, text: message.value, song: song.shared });
        } catch (problem) {
            if (problem.code === "otherMessage") clientID = freshUUID();
            throw problem;
        }
        return { person, isRequest: writing === "request" };
    }
}
