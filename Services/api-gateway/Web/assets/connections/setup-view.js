import { api } from "../shell/api.js";
import { navigate } from "../shell/navigate.js";
import { announce } from "../ui/announcer.js";
import { confirmed } from "../ui/confirmation.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { clockTime, localTimes } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { saveNotice } from "./setup-notice.js";
import { stepOf } from "./setup-status.js";

/**
 * The view of one step. The link back, heading and instructions show at once; the elements of `content(step)` follow
 * when the step is loaded. Returns the title.
 */
export function setupView({ main, signal }, { id, title, instructions, content }) {
    const container = element("div", { class: "setup-content" }, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/setup" }, "← Setup")),
        element("h1", {}, title),
        element("div", { class: "instructions" }, instructions),
        container));
    load();
    return title;

    async function load() {
        try {
            const step = stepOf(await api.get("/v1/setup", { signal }), id);
            container.replaceChildren(...[content(step)].flat().filter(Boolean));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            container.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }
}

/** What is wrong with a step and what to do; `null` when the step needs no attention. */
export function stepProblemView(step) {
    if (step.state !== "needsAttention" && !step.reason) return null;
    return element("section", { class: "warnings", "aria-label": "What needs attention" },
        element("div", { class: "warning" }, icon("alert"),
            element("div", {},
                element("h2", {}, step.state === "needsAttention" ? "Needs attention" : "Please note"),
                element("p", {}, localTimes(step.detail)),
                step.until && element("p", {}, "This lasts until ",
                    element("time", { datetime: step.until }, clockTime(step.until)), "."))));
}

/** The saved key, masked, with a button that removes it; `null` when none is saved. */
export function savedKey(step, { path, name, signal }) {
    if (!step.maskedKey) return null;
    const error = element("p", { class: "field-error", role: "alert" });
    return element("section", { class: "card saved-key", "aria-label": "Saved" },
        element("dl", { class: "facts" },
            fact("Saved key", step.maskedKey), step.city && fact("City", step.city)),
        element("button", { class: "button small", type: "button", onclick: remove }, `Remove ${name}`), error);

    async function remove() {
        const isMeant = await confirmed({
            title: `Remove ${name}?`, text: "Backline deletes it immediately. You can enter it again at any time.",
            action: "Remove",
        });
        if (!isMeant || signal.aborted) return;
        error.textContent = "";
        try {
            await api.delete(path, { signal });
            await backToChecklist(`Backline has deleted the saved ${name}.`, signal);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}

/** Goes to the checklist, which shows the sentence, with a link `{ href, text }` to another site. */
export async function backToChecklist(sentence, signal, { link = null, ...options } = {}) {
    if (signal.aborted) return;
    saveNotice(sentence, link);
    await navigate("/setup", options);
    announce(sentence);
}
