import { api } from "../shell/api.js";
import { whenUsed } from "../shell/when-used.js";
import { element, freshID } from "../ui/dom.js";
import { clockTime, counted } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { sourceBadge } from "../ui/sources.js";
import { decide, undoDecision } from "./decisions.js";
import { section } from "./item-view.js";

const decisions = { merge: "You marked these as one song", split: "You marked these as different songs" };

/** Why the services' entries are one song, with buttons to split and merge it. `reload()` reads the page again. */
export class TrackIdentity {
    element;
    #track;
    #signal;
    #reload;
    #content = element("div", { class: "identity" }, element("p", { class: "secondary" }, "Loading …"));
    #error = element("p", { class: "field-error", role: "alert" });
    #chosen = new Set();
    #split = null;

    constructor(track, { signal, reload }) {
        this.#track = track;
        this.#signal = signal;
        this.#reload = reload;
        const title = track.sourceTracks.length > 1 ? "Why is this one song?" : "Which song is this?";
        this.element = section(title, this.#content, this.#error);
        this.#load();
    }

    async #load() {
        try {
            const identity = await api.get(`/v1/library/tracks/${this.#track.id}/identity`, { signal: this.#signal });
            this.#show(identity);
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#content.replaceChildren(element("p", { class: "field-error" }, messageFor(problem)),
                element("button", { class: "button small", type: "button", onclick: () => this.#load() }, "Retry"));
        }
    }

    #show({ sourceTracks, decisions: made }) {
        const isSplittable = sourceTracks.length > 1;
        this.#split = isSplittable && element("button", {
            class: "button", type: "button", "aria-disabled": "true", onclick: () => this.#part(),
        }, icon("split"), "Split off the selected ones");
        this.#content.replaceChildren(...[
            element("ul", { class: "evidence-list" }, sourceTracks.map((one) => this.#entry(one, isSplittable))),
            element("div", { class: "detail-buttons" }, this.#split, element("button", {
                class: "button", type: "button", onclick: () => this.#join(),
            }, icon("merge"), "Merge with another song")),
            made.length > 0 && element("ul", { class: "decisions" }, made.map((one) => this.#decision(one))),
        ].filter(Boolean));
    }

    #entry({ id, source, title, artist, album, evidence }, isSplittable) {
        const box = freshID("entry");
        const words = [
            element("span", { class: "evidence-head" }, sourceBadge(source), " ", element("bdi", {}, title)),
            element("span", { class: "secondary" }, [artist, album].filter(Boolean).join(" · ")),
        ];
        return element("li", { class: "evidence" },
            isSplittable && element("input", {
                type: "checkbox", id: box, value: id, onchange: ({ currentTarget }) => this.#choose(id, currentTarget),
            }),
            element("div", {},
                isSplittable ? element("label", { for: box }, words) : words,
                element("ul", { class: "sentences" }, evidence.map((sentence) => element("li", {}, sentence)))));
    }

    #decision({ id, kind, at }) {
        return element("li", {},
            element("span", {}, `${decisions[kind] ?? kind}, ${clockTime(at)}.`),
            element("button", {
                class: "button small", type: "button", onclick: () => this.#run(async () => {
                    await undoDecision(id);
                    await this.#reload();
                }),
            }, "Undo"));
    }

    #choose(id, box) {
        if (box.checked) this.#chosen.add(id);
        else this.#chosen.delete(id);
        this.#split.setAttribute("aria-disabled", String(!this.#isProper));
    }

    /** Whether some entries are chosen, but not all: both songs have to keep at least one. */
    get #isProper() {
        return this.#chosen.size > 0 && this.#chosen.size < this.#track.sourceTracks.length;
    }

    #part() {
        if (!this.#isProper) {
            this.#error.textContent = "Select some of the entries, but not all of them.";
            return;
        }
        this.#run(async () => {
            const entries = counted(this.#chosen.size, "entry").replace("entrys", "entries");
            await decide({
                path: `/v1/library/tracks/${this.#track.id}/split`, body: { sourceTrackIds: [...this.#chosen] },
                text: `${entries} of “${this.#track.title}” became a separate song.`, changed: this.#reload,
            });
        });
    }

    async #join() {
        const other = await whenUsed(import("./merge-sheet.js"), ({ openMergeSheet }) =>
            this.#signal.aborted ? null : openMergeSheet(this.#track, { signal: this.#signal }));
        if (!other) return;
        await this.#run(() => decide({
            path: "/v1/library/merges", body: { trackIds: [this.#track.id, other.id] },
            text: `“${this.#track.title}” and “${other.title}” are now one song.`, changed: this.#reload,
        }));
    }

    async #run(action) {
        this.#error.textContent = "";
        try {
            await action();
        } catch (problem) {
            if (!this.#signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        }
    }
}
