import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { messageFor, problemView } from "../ui/problem-view.js";

const path = "/v1/me/message-settings";
const policies = {
    anybody: "Everybody", followed: "People I follow", mutual: "People I follow who follow me back",
};

/** Who may write to the person, and whether others see how far the person has read. */
export function show({ main, signal }) {
    const parts = element("div", {}, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/profile/settings" }, "← Settings")),
        element("h1", { tabindex: "-1" }, "Message settings"), parts));
    load();
    return "Message settings";

    async function load() {
        try {
            const settings = await api.get(path, { signal });
            parts.replaceChildren(policyPart(settings, signal), markPart(settings, signal));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            parts.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }
}

/** The changes are sent one after another, so that a later one is never overtaken by an earlier one. */
let last = Promise.resolve();

async function change(members, signal) {
    const sent = last.then(() => api.put(path, members, { signal }));
    last = sent.catch(() => {});
    await sent;
    announce("Saved.");
}

function policyPart({ policy }, signal) {
    const error = element("p", { class: "field-error", role: "alert" });
    let saved = policy;
    const group = element("fieldset", { class: "options" },
        element("legend", { class: "visually-hidden" }, "Who may write to you"),
        Object.entries(policies).map(([value, text]) => element("label", { class: "option" },
            element("input", {
                type: "radio", name: "policy", value, checked: value === saved, onchange: () => save(value),
            }), text)));
    return element("section", { class: "card settings-part", "aria-labelledby": "policy" },
        element("h2", { id: "policy" }, "Who may write to you"), error, group,
        element("p", { class: "hint" }, "Those who may write, but whom you neither follow nor have exchanged messages "
            + "with, ask first. Anyone you have exchanged messages with may continue to write; block people who should not."));

    async function save(value) {
        error.textContent = "";
        try {
            await change({ policy: value }, signal);
            saved = value;
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            group.querySelector(`input[value="${saved}"]`).checked = true;
            error.textContent = messageFor(problem);
        }
    }
}

function markPart({ showsReadMarks }, signal) {
    const error = element("p", { class: "field-error", role: "alert" });
    const input = element("input", {
        type: "checkbox", role: "switch", checked: showsReadMarks, "aria-describedby": "marks-hint",
        onchange: () => save(),
    });
    let saved = showsReadMarks;
    return element("section", { class: "card settings-part", "aria-labelledby": "marks" },
        element("h2", { id: "marks" }, "Read marks"), error,
        element("label", { class: "option" }, input, "Show others what I have read"),
        element("p", { class: "hint", id: "marks-hint" },
            "You see what others have read only if both of you show it."));

    async function save() {
        const { checked } = input;
        error.textContent = "";
        try {
            await change({ showsReadMarks: checked }, signal);
            saved = checked;
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            input.checked = saved;
            error.textContent = messageFor(problem);
        }
    }
}
