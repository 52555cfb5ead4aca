import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";
import { openSheet } from "../ui/sheet.js";
import { textCount, tooLong } from "../ui/text-count.js";
import { toast } from "../ui/toast.js";
import { freshUUID } from "../ui/fresh-uuid.js";
import { songSummary } from "./song-summary.js";

/** The longest message, in characters. */
const longestMessage = 1_000;
const audiences = {
    public: "Everyone here can see it on your profile, and your followers get it in their feeds.",
    followers: "Only your followers see it: in their feeds and on your profile.",
    private: "Your profile is private, so nobody else sees it until you change that.",
};

/** Asks for a message, and shares a song (`song.js`) with all who may see the person's profile. */
export async function shareSong(song) {
    // The same share, however often it has to be sent.
    const path = `/v1/shares/${freshUUID()}`;
    const share = await openSheet({ title: `Share “${song.title}”`, content: (close) => sheet(song, path, close) });
    if (share) toast(`You shared “${song.title}”.`, { undo: () => deleteShare(share) });
}

function sheet(song, path, close) {
    const message = new FormField({ name: "message", label: "Message (optional)", tag: "textarea", rows: "4" });
    const count = textCount(message, longestMessage);
    const form = savingForm({
        fields: [message], content: [count.element, audience()], refused: message, action: "Share", busy: "Sharing …",
        // It is sent even if the person leaves the page.
        signal: new AbortController().signal,
        check: () => tooLong(message, longestMessage),
        save: () => api.put(path, { song: song.shared, ...(message.value && { message: message.value }) }),
        saved: (share) => close(share),
    });
    form.classList.remove("card");
    return [songSummary(song), form];
}

/** Who will see it. */
function audience() {
    const text = element("p", { class: "secondary", role: "status" });
    api.get("/v1/me").then(({ profileVisibility }) => {
        text.replaceChildren(audiences[profileVisibility] ?? "",
            ...(profileVisibility === "private" ? [" ", element("a", { href: "/profile/edit" }, "Edit profile")] : []));
    }, () => {
        // The sheet works without it.
    });
    return text;
}

async function deleteShare({ id }) {
    try {
        await api.delete(`/v1/shares/${encodeURIComponent(id)}`);
    } catch (problem) {
        throw new Error(messageFor(problem));
    }
}
