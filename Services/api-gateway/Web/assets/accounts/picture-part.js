import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element, freshID } from "../ui/dom.js";
import { bytes } from "../ui/formats.js";
import { picture } from "../ui/picture.js";
import { messageFor } from "../ui/problem-view.js";

/** The media types and the size of pictures that the gateway reads. */
const types = ["image/jpeg", "image/png", "image/webp"];
const mostBytes = 5 * 1024 * 1024;

/** The part of the profile's form that uploads and removes the person's picture. `me` is the answer of `/v1/me`. */
export function picturePart(me, { signal }) {
    const title = freshID("picture");
    const hint = freshID("picture-hint");
    const name = me.displayName ?? me.username;
    const face = element("span", { class: "profile-face" });
    const error = element("p", { class: "field-error", role: "alert" });
    const progress = element("div", { role: "status" });
    const input = element("input", {
        type: "file", id: freshID("file"), class: "visually-hidden", accept: types.join(","), "aria-describedby": hint,
        onchange: () => {
            if (input.files.length > 0) send(input.files[0]);
            // Choosing the same file again has to fire the event, too.
            input.value = "";
        },
    });
    const label = element("label", { class: "button", for: input.id }, "Choose a picture");
    const removal = element("button", { class: "button", type: "button", onclick: remove }, "Remove the picture");
    show(me.picture);
    return element("section", { class: "card picture-part", "aria-labelledby": title },
        face,
        element("div", { class: "picture-words" },
            element("h2", { id: title }, "Picture"),
            element("p", { class: "hint", id: hint },
                `A JPEG, PNG or WebP file of at most ${bytes(mostBytes)}. Backline keeps a small copy, without the `
                + "place and time that cameras add."),
            element("div", { class: "detail-buttons" }, input, label, removal),
            progress, error));

    function show(source) {
        face.replaceChildren(picture(source, name, { size: 128 }));
        removal.hidden = source === null;
    }

    async function send(file) {
        const refusal = refusalOf(file);
        error.textContent = refusal ?? "";
        if (refusal) return;
        const bar = element("progress", { max: "1", value: "0", "aria-label": "Sending the picture" });
        progress.replaceChildren(element("p", {}, "Sending the picture …"), bar);
        try {
            const changed = await api.upload("/v1/me/picture", file, {
                method: "PUT", signal, progress: (share) => { bar.value = share; },
            });
            show(changed.picture);
            announce("Your picture was changed.");
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        } finally {
            progress.replaceChildren();
        }
    }

    async function remove() {
        error.textContent = "";
        try {
            await api.delete("/v1/me/picture", { signal });
            input.focus();
            show(null);
            announce("Your picture was removed.");
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}

/** Why a file cannot be sent, so that nobody waits for a refusal; `null` if it can. */
function refusalOf({ name, type, size }) {
    if (/\.(heic|heif)$/i.test(name) || /^image\/hei[cf]/.test(type)) {
        return "HEIC pictures cannot be read here. Export the photo as JPEG first.";
    }
    if (!types.includes(type)) return "This is not a JPEG, PNG or WebP file. Choose another one.";
    return size > mostBytes ? `The picture has ${bytes(size)}, and at most ${bytes(mostBytes)} are allowed.` : null;
}
