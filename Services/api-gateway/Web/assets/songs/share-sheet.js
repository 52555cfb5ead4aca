import { api } from "../shell/api.js";
import { element, freshID } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { grouped } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { picture } from "../ui/picture.js";
import { messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";
import { openSheet } from "../ui/sheet.js";
import { toast } from "../ui/toast.js";
import { freshUUID } from "../ui/fresh-uuid.js";

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
    const count = element("p", { class: "hint message-count", id: freshID("message-count") });
    message.input.setAttribute("aria-describedby", `${message.input.getAttribute("aria-describedby")} ${count.id}`);
    message.input.addEventListener("input", showCount);
    showCount();
    const form = savingForm({
        fields: [message], content: [count, audience()], refused: message, action: "Share", busy: "Sharing …",
        // It is sent even if the person leaves the page.
        signal: new AbortController().signal,
        check: () => lengthOf(message.value) <= longestMessage ? null : {
            field: message,
            text: `The message has ${grouped(lengthOf(message.value))} characters; the limit is `
                + `${grouped(longestMessage)}.`,
        },
        save: () => api.put(path, { song: song.shared, ...(message.value && { message: message.value }) }),
        saved: (share) => close(share),
    });
    form.classList.remove("card");
    return [summary(song), form];

    function showCount() {
        const length = lengthOf(message.value);
        count.textContent = `${grouped(length)} of ${grouped(longestMessage)} characters`;
        count.classList.toggle("too-long", length > longestMessage);
    }
}

/** The number of characters as the API counts them. */
function lengthOf(text) {
    return [...text].length;
}

function summary({ title, artist, picture: image }) {
    return element("div", { class: "sheet-song" }, picture(image, title),
        element("div", {}, element("p", { class: "choice-title" }, name(title)),
            artist && element("p", { class: "secondary" }, name(artist))));
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
