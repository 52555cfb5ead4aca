import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { clockTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { sourceName } from "./sources.js";
import { syncFailures } from "./sync-failures.js";
import { outcomeText, progressText, runningSource, spokenProgress } from "./sync-text.js";

/** How long the outcome of a sync is shown, in milliseconds. */
const outcomeTime = 3_000;

/**
 * The state of the sync, and the buttons that begin one. It follows a `LibrarySync`; `connected` are the services that
 * have a button.
 */
export class SyncBanner {
    element;
    #sync;
    #signal;
    #text = element("p", { class: "sync-text" });
    #bar = element("progress", { "aria-label": "Progress of this service", hidden: true });
    #buttons = element("div", { class: "sync-buttons" });
    #error = element("p", { class: "field-error", role: "alert" });
    #failures = element("div", {});
    #failed = null;
    #spoken = null;
    #lastSyncedAt = null;
    #outcome = null;
    #timer = null;
    #isAsking = false;

    constructor(sync, { signal, connected }) {
        this.#sync = sync;
        this.#signal = signal;
        this.element = element("section", { class: "sync", "aria-label": "Sync" },
            element("div", { class: "card sync-card" }, this.#text, this.#buttons, this.#bar, this.#error),
            this.#failures);
        this.#buttons.append(this.#button("Sync now", "refresh", {}));
        // "Sync now" leaves out what has just been synced; a service's own button does not.
        this.#buttons.append(...connected.map((source) =>
            this.#button(`Sync ${sourceName(source)}`, null, { source })));
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
        sync.addEventListener("change", () => this.#show(), { signal });
        sync.addEventListener("ended", ({ detail }) => this.#end(detail), { signal });
        sync.addEventListener("problem", ({ detail }) => this.#fail(detail), { signal });
        this.#show();
    }

    /** When a sync of all services ended last (RFC 3339); `null` before the first. */
    set lastSyncedAt(time) {
        this.#lastSyncedAt = time;
        this.#show();
    }

    #button(text, picture, request) {
        return element("button", {
            class: "button small", type: "button",
            // It keeps the focus while it cannot be pressed.
            onclick: () => this.#sync.isUnfinished || this.#ask(() => this.#sync.start(request)),
        }, picture && icon(picture), text);
    }

    #show() {
        const sync = this.#sync.shown;
        const { isUnfinished } = this.#sync;
        this.#text.textContent = isUnfinished ? progressText(sync) : this.#outcome ?? this.#past();
        this.element.dataset.state = isUnfinished ? sync.state : "idle";
        this.#showBar(isUnfinished ? runningSource(sync) : null, isUnfinished);
        for (const button of this.#buttons.children) button.setAttribute("aria-disabled", String(isUnfinished));
        this.#showFailures(sync);
        if (isUnfinished) this.#speak(sync);
    }

    #past() {
        if (this.#sync.latest === undefined) return "";
        return this.#lastSyncedAt ? `Last synced ${clockTime(this.#lastSyncedAt)}` : "Not synced yet";
    }

    #showBar(source, isUnfinished) {
        this.#bar.hidden = !isUnfinished;
        if (source?.total) {
            this.#bar.max = source.total;
            this.#bar.value = Math.min(source.found ?? 0, source.total);
        } else {
            // Without a value it says only that something goes on.
            this.#bar.removeAttribute("value");
        }
    }

    #showFailures(sync) {
        const failed = JSON.stringify(sync?.sources?.map(
            ({ source, error, asksForAccount }) => [source, error, asksForAccount]));
        // Replacing the same buttons would take away the focus.
        if (failed === this.#failed) return;
        this.#failed = failed;
        const hadFocus = this.#failures.contains(document.activeElement);
        this.#failures.replaceChildren(...[syncFailures(sync, {
            retry: () => this.#ask(() => this.#sync.start({ force: true })),
            dismiss: () => this.#ask(() => this.#sync.dismissErrors()),
            answer: (source, same) => this.#ask(() => this.#sync.answerAccount(source, same)),
        })].filter(Boolean));
        if (hadFocus && !this.#failures.contains(document.activeElement)) this.#buttons.firstChild.focus();
    }

    #speak(sync) {
        const sentence = spokenProgress(sync);
        if (!sentence || sentence === this.#spoken) return;
        this.#spoken = sentence;
        announce(sentence);
    }

    #end(sync) {
        this.#spoken = null;
        this.#outcome = outcomeText(sync);
        announce(`${this.#outcome}.`);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            this.#outcome = null;
            this.#show();
        }, outcomeTime);
        this.#show();
    }

    async #ask(request) {
        if (this.#isAsking) return;
        this.#isAsking = true;
        this.#error.textContent = "";
        try {
            await request();
        } catch (problem) {
            this.#fail(problem);
        } finally {
            this.#isAsking = false;
        }
    }

    #fail(problem) {
        if (this.#signal.aborted || problem.status === 401) return;
        this.#error.textContent = messageFor(problem);
    }
}
