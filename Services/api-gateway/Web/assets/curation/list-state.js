import { grouped, money } from "../ui/formats.js";

/** The state of a list as text. */
export function stateText({ state, progress, model, fallback, kind, awaitsConsent }) {
    if (awaitsConsent) return "Waiting for the other person to agree";
    if (kind === "blend" && state === "complete") return "Made to suit both of you as well as possible";
    switch (state) {
    case "queued": return "Waiting to start";
    case "asking": return "Asking the model";
    case "resolving": return progress
        ? `Looking up songs: ${grouped(progress.done)} of ${grouped(progress.total)}` : "Looking up songs";
    case "checking": return "Checking";
    case "failed": return "Failed";
    default: return fallback || !model ? "Made without AI" : `Made with ${model}`;
    }
}

/** The tokens that a list used, as text; `null` if no model was asked. */
export function usageText({ usage, cost }) {
    if (usage.totalTokens === 0) return null;
    return `It used ${grouped(usage.totalTokens)} tokens${cost ? `, which cost ${money(cost)}` : ""}.`;
}

/** Whether the list is still being made. */
export function isUnfinished({ state }) {
    return state !== "complete" && state !== "failed";
}
