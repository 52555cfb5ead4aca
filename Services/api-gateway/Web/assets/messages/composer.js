import { draft, saveDraft } from "../shell/drafts.js";
import { session } from "../shell/session.js";
import { whenUsed } from "../shell/when-used.js";
import { longestText, sendMessage } from "../songs/sending.js";
import { songSummary } from "../songs/song-summary.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { freshUUID } from "../ui/fresh-uuid.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { textCount, tooLong } from "../ui/text-count.js";

/**
 * The form that sends a message in a thread: a text, a song, or both. What is typed, and the song, stay until they have
 * arrived, also when the page is loaded again. `sent(message)` gets the message, and `outdated()` is called when the
 * thread has to be read again.
 */
export class Composer {
    element;
    #options;
    #userID = session.user.id;
    #person = null;
    #field = new FormField({
        name: "text", label: "Message", tag: "textarea", rows: "3", enterkeyhint: "send",
        hint: "Enter sends the message, and Shift+Enter begins a new line.",
    });
    #count = textCount(this.#field, longestText);
    #note = element("p", { class: "secondary", hidden: true });
    #song = null;
    #songPart = element("div", {
        class: "composer-song", role: "group", "aria-label": "The song to send", hidden: true,
    });
    #add = element("button", { class: "button", type: "button", onclick: () => this.#pick() },
        icon("music"), "Add a song");
    #button = element("button", { class: "button primary", type: "submit" }, icon("share"), "Send");
    #error = element("p", { class: "field-error", role: "alert" });
    #retry = element("button", { class: "button small", type: "submit", hidden: true }, icon("refresh"), "Retry");
    /**
     * `{ clientID, typed, song }` of what may have been sent, until that is known: sending it again with the same id
     * makes no second message. `song` is as the API names it.
     */
    #attempt = null;
    #isBusy = false;

    constructor(options) {
        this.#options = options;
        const { input } = this.#field;
        input.addEventListener("input", () => this.#save());
        input.addEventListener("keydown", (event) => {
            // Enter also ends the choice of a character.
            if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
            event.preventDefault();
            this.#send();
        });
        this.element = element("form", { class: "composer", novalidate: true, onsubmit: (event) => {
            event.preventDefault();
            this.#send();
        } }, this.#field.element, this.#count.element, this.#songPart, this.#note,
        element("div", { class: "saving-problem" }, this.#error, this.#retry),
        element("div", { class: "composer-buttons" }, this.#button, this.#add));
        const stored = draft(this.#userID, options.threadID);
        if (!stored) return;
        input.value = stored.text;
        this.#attempt = stored.attempt;
        this.#attach(stored.song ?? null);
        this.#count.show();
    }

    /** `note` says what a message leads to. */
    show({ person, note }) {
        this.#person = person;
        this.#note.textContent = note;
        this.#note.hidden = note === "";
    }

    focus() {
        this.#field.focus();
    }

    /** A message of the person has arrived, perhaps the one whose answer was lost. */
    receive({ clientId }) {
        if (!this.#attempt || clientId !== this.#attempt.clientID) return;
        this.#clear();
        this.#showProblem(null);
    }

    async #send() {
        if (this.#isBusy) return;
        const text = this.#field.value;
        this.#showProblem(null);
        const song = this.#song?.shared ?? null;
        const isEmpty = text === "" && !song;
        const wrong = isEmpty ? "Write a message or add a song first." : tooLong(this.#field, longestText)?.text ?? "";
        this.#field.fail(wrong);
        if (wrong) return this.focus();
        // An id that may be taken stays, also for a text that was changed since: the API answers whether it is.
        const clientID = this.#attempt?.clientID ?? freshUUID();
        this.#attempt = { clientID, typed: this.#field.input.value, song };
        this.#save();
        this.#setBusy(true);
        const { threadID, signal, sent, outdated } = this.#options;
        try {
            const message = await sendMessage({ threadID, clientID, person: this.#person, text, song });
            if (this.#attempt?.clientID === clientID) this.#clear();
            if (signal.aborted) return;
            announce("Sent.");
            sent(message);
            if (this.element.contains(document.activeElement)) this.focus();
        } catch (problem) {
            // A message that was refused was not stored.
            if (!problem.isPassing && problem.status !== 401) this.#attempt = null;
            this.#save();
            if (signal.aborted || problem.status === 401) return;
            this.#showProblem(problem);
            if (problem.status === 404 || problem.status === 409) outdated();
        } finally {
            this.#setBusy(false);
        }
    }

    /** Takes out what has arrived. What was typed or added meanwhile stays. */
    #clear() {
        const { input } = this.#field;
        const { typed, song } = this.#attempt;
        if (input.value.startsWith(typed)) input.value = input.value.slice(typed.length).trimStart();
        if (JSON.stringify(song) === JSON.stringify(this.#song?.shared)) this.#attach(null);
        this.#attempt = null;
        this.#count.show();
        this.#save();
    }

    #save() {
        const [text, song, attempt] = [this.#field.input.value, this.#song, this.#attempt];
        saveDraft(this.#userID, this.#options.threadID, text || song || attempt ? { text, song, attempt } : null);
    }

    /** Asks for a song, and adds it. */
    async #pick() {
        const { signal } = this.#options;
        const song = await whenUsed(import("../songs/song-picker.js"), ({ chooseSong }) =>
            signal.aborted ? null : chooseSong({ title: "Which song do you want to send?" }));
        if (!song || signal.aborted) return;
        const { title, artist, picture, shared } = song;
        this.#attach({ title, artist, picture, shared });
        this.#field.fail("");
        this.#save();
        announce(`Added “${title}”.`);
        this.focus();
    }

    /** Shows the song that will be sent; `null` for none. */
    #attach(song) {
        const hadFocus = this.#songPart.contains(document.activeElement);
        this.#song = song;
        this.#songPart.hidden = song === null;
        this.#add.hidden = song !== null;
        this.#songPart.replaceChildren(...(song ? [songSummary(song), this.#removeButton(song)] : []));
        if (hadFocus) this.focus();
    }

    #removeButton({ title }) {
        return element("button", {
            class: "icon-button", type: "button", "aria-label": `Remove “${title}”`, onclick: () => {
                this.#attach(null);
                this.#save();
                announce(`Removed “${title}”.`);
            },
        }, icon("cross"));
    }

    #showProblem(problem) {
        this.#error.textContent = problem ? messageFor(problem) : "";
        const hadFocus = document.activeElement === this.#retry;
        this.#retry.hidden = !problem?.isPassing;
        if (hadFocus && this.#retry.hidden) this.focus();
    }

    /** Marks the button as disabled for assistive technology only, so that it keeps the focus. */
    #setBusy(isBusy) {
        this.#isBusy = isBusy;
        this.element.ariaBusy = String(isBusy);
        this.#button.setAttribute("aria-disabled", String(isBusy));
    }
}
