import { announce } from "../shell/announcer.js";
import { api } from "../shell/api.js";
import { confirmed } from "../components/confirmation.js";
import { element } from "../components/dom.js";
import { clockTime, localTimes } from "../components/formats.js";
import { icon } from "../components/icons.js";
import { problemView, wordsFor } from "../components/problem-view.js";
import { navigate } from "../shell/router.js";
import { leaveNotice } from "./setup-notice.js";
import { stepOf } from "./setup-status.js";

/**
 * A view of one step: its way back, heading and instructions at once, and what `content(step)` makes of the step when
 * that is known.
 */
export function setupView({ main, signal }, { id, title, instructions, content }) {
    const place = element("div", { class: "setup-content" }, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(element("div", { class: "setup-view" },
        element("p", { class: "way" }, element("a", { href: "/setup" }, "← Setup")),
        element("h1", {}, title),
        element("div", { class: "instructions" }, instructions),
        place));
    load();
    return title;

    async function load() {
        try {
            const step = stepOf(await api.get("/v1/setup", { signal }), id);
            place.replaceChildren(...[content(step)].flat().filter(Boolean));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            place.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }
}

/** What is wrong with a step that was set up, and the way out; nothing when all is well. */
export function troubleView(step) {
    if (step.state !== "needsAttention" && !step.reason) return null;
    return element("section", { class: "warnings", "aria-label": "What needs attention" },
        element("div", { class: "warning" }, icon("alert"),
            element("div", {},
                element("h2", {}, step.state === "needsAttention" ? "Needs attention" : "Please note"),
                element("p", {}, localTimes(step.detail)),
                step.until && element("p", {}, "This lasts until ",
                    element("time", { datetime: step.until }, clockTime(step.until)), "."))));
}

/** What is saved of a key, with the way to remove it; nothing when nothing is. */
export function savedKey(step, { path, name, signal }) {
    if (!step.maskedKey) return null;
    const error = element("p", { class: "field-error", role: "alert" });
    return element("section", { class: "card saved-key", "aria-label": "Saved" },
        element("dl", { class: "facts" },
            fact("Saved key", step.maskedKey), step.city && fact("City", step.city)),
        element("button", { class: "button small", type: "button", onclick: remove }, `Remove ${name}`), error);

    async function remove() {
        const isMeant = await confirmed({
            title: `Remove ${name}?`, words: "Backline forgets it at once. You can enter it again at any time.",
            action: "Remove",
        });
        if (!isMeant || signal.aborted) return;
        error.textContent = "";
        try {
            await api.delete(path, { signal });
            await backToChecklist("What was saved is removed.", signal);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = wordsFor(problem);
        }
    }
}

export function fact(name, ...value) {
    return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}

/** A link to somebody else's site, in a window of its own. */
export function outsideLink(href, words) {
    return element("a", { href, target: "_blank", rel: "noopener noreferrer" }, words, " ", icon("external"),
        element("span", { class: "visually-hidden" }, " (opens in a new tab)"));
}

/** Back to the checklist, which says what happened. */
export async function backToChecklist(sentence, signal, options) {
    if (signal.aborted) return;
    leaveNotice(sentence);
    await navigate("/setup", options);
    announce(sentence);
}
