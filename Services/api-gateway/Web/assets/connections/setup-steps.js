import { element, freshID } from "../ui/dom.js";
import { localTimes } from "../ui/formats.js";
import { icon } from "../ui/icons.js";

const looks = {
    spotify: { name: "Spotify", href: "/setup/spotify", picture: "music", complete: "connected" },
    gemini: { name: "Gemini", href: "/setup/gemini", picture: "spark", complete: "configured" },
    ticketmaster: { name: "Ticketmaster", href: "/setup/ticketmaster", picture: "ticket", complete: "configured" },
    appleMusic: { name: "Apple Music", href: "/setup/apple-music", picture: "music", complete: "connected" },
};
const marks = { incomplete: "cross", complete: "check", needsAttention: "alert" };

/** A large link to a step's view. It shows the step's state by color, icon and text. */
export function stepButton(step, { isOptional = false } = {}) {
    const { name, href, picture } = looks[step.id];
    const [state, detail] = [stateText(step, isOptional), freshID("step-detail")];
    return element("a", {
        class: "step", href, "data-state": step.state, "data-optional": isOptional, id: `step-${step.id}`,
        "aria-label": `${name}, ${state}`, "aria-describedby": detail,
    },
        icon(picture),
        element("span", { class: "step-text" },
            element("span", { class: "step-title" }, name),
            element("span", { id: detail }, localTimes(step.detail))),
        element("span", { class: "step-state" }, icon(marks[step.state]), element("span", {}, state)));
}

/** "not configured", "connected", "needs attention" */
function stateText(step, isOptional = false) {
    if (step.state === "complete") return looks[step.id].complete;
    if (step.state === "needsAttention") return "needs attention";
    return isOptional ? "optional, not configured" : "not configured";
}
