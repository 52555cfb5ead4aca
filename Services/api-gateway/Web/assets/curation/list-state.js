import { grouped, money } from "../ui/formats.js";

/** How far a list is, in words. */
export function stateText({ state, progress, model, fallback, kind, awaitsConsent }) {
    if (awaitsConsent) return "Waiting for the other person to agree";
    if (kind === "blend" && state === "complete") return "Made so that both are served as well as possible";
    switch (state) {
    case "queued": return "Waiting to begin";
    case "asking": return "Asking the model";
    case "resolving": return progress
        ? `Looking songs up: ${grouped(progress.done)} of ${grouped(progress.total)}` : "Looking songs up";
    case "checking": return "Checking";
    case "failed": return "Failed";
    default: return fallback || !model ? "Made without AI" : `Made with ${model}`;
    }
}

/** What the list has used, in words; `null` where no model was asked. */
export function usageText({ usage, cost }) {
    if (usage.totalTokens === 0) return null;
    return `It used ${grouped(usage.totalTokens)} tokens${cost ? `, which cost ${money(cost)}` : ""}.`;
}

/** Whether the list is still being made. */
export function isUnfinished({ state }) {
    return state !== "complete" && state !== "failed";
}
