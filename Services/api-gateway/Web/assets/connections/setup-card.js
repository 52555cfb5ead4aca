import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { progressText, SetupStatus } from "./setup-status.js";

/** A link to the checklist, with its progress. */
export function setupCard({ signal }) {
    const text = element("span", { class: "setup-progress" }, "Loading …");
    const picture = element("span", { class: "feature-picture" }, icon("key"));
    const bars = element("span", { class: "setup-bars", "aria-hidden": "true" });
    const status = new SetupStatus({ signal });
    status.addEventListener("change", ({ detail: checklist }) => {
        text.textContent = progressText(checklist);
        picture.replaceChildren(icon(checklist.completed === checklist.total ? "check" : "key"));
        bars.replaceChildren(...checklist.steps.map(({ state }) => element("span", { "data-state": state })));
    });
    status.addEventListener("problem", () => {
        text.textContent = "The progress could not be loaded.";
    });
    status.follow();
    return element("a", { class: "card feature setup-card", href: "/setup" },
        picture,
        element("span", { class: "feature-text" },
            element("span", { class: "feature-title" }, "Set up Backline"), " ", text, bars),
        element("span", { class: "feature-arrow", "aria-hidden": "true" }, "→"));
}
