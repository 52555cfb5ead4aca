import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { sourceName } from "../ui/sources.js";
import { syncFailures } from "./sync-failures.js";
import { outcomeText, progressText, sourceProgressText, spokenProgress } from "./sync-text.js";

/** How long the outcome of a sync is shown, in milliseconds; one that merged songs has more to read. */
const outcomeTime = 3_000;
const longOutcomeTime = 8_000;

/**
 * Shows what a running sync reads, how it ended, and its errors; empty at other times. It follows a `LibrarySync`.
 * `button` starts a sync of all services.
 */
export class SyncBanner {
    element;
    button = element("button", { class: "button", type: "button", onclick: () => this.begin() },
        icon("refresh"), "Sync now");
    #sync;
    #signal;
    #text = element("p", { class: "sync-text" });
    #sources = element("ul", { class: "sync-sources" });
    #rows = new Map();
    #card = element("div", { class: "card sync-card", hidden: true }, this.#text, this.#sources);
    #error = element("p", { class: "field-error", role: "alert" });
    #failures = element("div", {});
    #failed = null;
    #spoken = null;
    #outcome = null;
    #timer = null;
    #asked = Promise.resolve();

    constructor(sync, { signal }) {
        this.#sync = sync;
        this.#signal = signal;
        this.element = element("section", { class: "sync", "aria-label": "Sync" },
            this.#card, this.#error, this.#failures);
        signal.addEventListener("abort", () => clearTimeout(this.#timer));
        sync.addEventListener("change", () => this.#show(), { signal });
        sync.addEventListener("ended", ({ detail }) => this.#end(detail), { signal });
        sync.addEventListener("problem", ({ detail }) => this.#fail(detail), { signal });
        this.#show();
    }

    /** Starts a sync of all services, even of those that have just been read, or of one with `{ source }`. */
    begin(request = { force: true }) {
        // The button keeps the focus while it cannot be pressed.
        if (!this.#sync.isUnfinished) this.#ask(() => this.#sync.start(request));
    }

    #show() {
        const sync = this.#sync.shown;
        const { isUnfinished } = this.#sync;
        this.button.setAttribute("aria-disabled", String(isUnfinished));
        this.#text.textContent = isUnfinished ? progressText(sync) : this.#outcome ?? "";
        this.#card.hidden = !this.#text.textContent;
        this.#card.dataset.state = isUnfinished ? sync.state : "idle";
        this.#showSources(isUnfinished ? sync.sources : []);
        this.#showFailures(sync);
        if (isUnfinished) this.#speak(sync);
    }

    /** One line with a bar for each service. The lines are reused, so that the bars move. */
    #showSources(sources) {
        for (const { source } of sources) {
            if (!this.#rows.has(source)) this.#rows.set(source, new SourceProgress(source));
        }
        const rows = sources.map((source) => this.#rows.get(source.source).show(source));
        const shown = [...this.#sources.children];
        if (rows.length !== shown.length || rows.some((row, index) => row !== shown[index])) {
            this.#sources.replaceChildren(...rows);
        }
    }

    #showFailures(sync) {
        const failed = JSON.stringify(sync?.sources?.map(
            ({ source, error, asksForAccount }) => [source, error, asksForAccount]));
        // Replacing identical buttons would lose the focus.
        if (failed === this.#failed) return;
        this.#failed = failed;
        const hadFocus = this.#failures.contains(document.activeElement);
        this.#failures.replaceChildren(...[syncFailures(sync, {
            retry: () => this.#ask(() => this.#sync.start({ force: true })),
            dismiss: () => this.#ask(() => this.#sync.dismissErrors()),
            answer: (source, same) => this.#ask(() => this.#sync.answerAccount(source, same)),
        })].filter(Boolean));
        if (hadFocus && !this.#failures.contains(document.activeElement)) this.button.focus();
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
        }, sync.merged > 0 ? longOutcomeTime : outcomeTime);
        this.#show();
    }

    /** Sends a request after those before it: "Dismiss" may be pressed before "Retry" has its answer. */
    #ask(request) {
        this.#asked = this.#asked.then(async () => {
            this.#error.textContent = "";
            await request();
        }).catch((problem) => this.#fail(problem));
    }

    #fail(problem) {
        if (this.#signal.aborted || problem.status === 401) return;
        this.#error.textContent = messageFor(problem);
    }
}

/** The line of one service. */
class SourceProgress {
    #text = element("span", {});
    #bar;
    #element;

    constructor(source) {
        this.#bar = element("progress", { "aria-label": `Progress of ${sourceName(source)}` });
        this.#element = element("li", { class: "sync-source", "data-source": source },
            element("span", { class: "sync-name" }, sourceName(source), ": "), this.#text, this.#bar);
    }

    show(source) {
        this.#text.textContent = sourceProgressText(source);
        this.#bar.hidden = source.state !== "running";
        if (source.total) {
            this.#bar.max = source.total;
            this.#bar.value = Math.min(source.found ?? 0, source.total);
        } else {
            // Without a value, the bar shows only that something is happening.
            this.#bar.removeAttribute("value");
        }
        return this.#element;
    }
}
