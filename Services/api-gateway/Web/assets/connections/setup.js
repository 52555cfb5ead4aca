import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { outsideLink } from "../ui/outside-link.js";
import { problemView } from "../ui/problem-view.js";
import { safeURL } from "../ui/safe-url.js";
import { consumeNotice } from "./setup-notice.js";
import { progressText, SetupStatus } from "./setup-status.js";
import { stepButton } from "./setup-steps.js";

export function show({ main, signal }) {
    const { sentence: notice, link, isAnnounced } = consumeNotice();
    const progress = element("p", { class: "lead", role: "status" }, "Loading …");
    const steps = element("ol", { class: "steps", "aria-label": "Setup steps" });
    const optional = element("ul", { class: "steps" });
    const more = element("section", { class: "setup-optional", hidden: true, "aria-labelledby": "setup-optional" },
        element("h2", { id: "setup-optional" }, "Optional"), optional);
    const failure = element("div");
    const status = new SetupStatus({ signal });
    status.addEventListener("change", ({ detail: checklist }) => {
        failure.replaceChildren();
        const text = progressText(checklist);
        // Screen readers announce every assignment, so only a different sentence is assigned.
        if (progress.textContent !== text) progress.textContent = text;
        // Keeps the focus on its step, whose element is replaced.
        const focused = document.activeElement?.id;
        steps.replaceChildren(...checklist.steps.map((step) => element("li", {}, stepButton(step))));
        optional.replaceChildren(...checklist.optional.map((step) =>
            element("li", {}, stepButton(step, { isOptional: true }))));
        more.hidden = checklist.optional.length === 0;
        if (focused?.startsWith("step-")) document.getElementById(focused)?.focus();
    });
    status.addEventListener("problem", ({ detail: problem }) => {
        // A checklist that is shown already stays. The banner shows a lost connection.
        if (steps.children.length > 0) return;
        progress.textContent = "";
        failure.replaceChildren(problemView(problem, () => status.load(), { level: 2 }));
    });
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/feed" }, "← Feed")),
        element("h1", {}, "Setup"),
        notice && element("p", { class: "setup-notice" }, icon("check"), element("span", {}, notice,
            ...(safeURL(link?.href) ? [" ", outsideLink(safeURL(link.href), link.text)] : []))),
        progress, failure, steps, more,
        element("p", { class: "secondary" }, "You can have a library without any of these: ",
            element("a", { href: "/library/import" }, "import a file"),
            ", such as a library that you exported from Apple’s Music app.")));
    status.follow();
    if (notice && !isAnnounced) announce(notice);
    return "Setup";
}
