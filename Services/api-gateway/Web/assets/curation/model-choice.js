import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { grouped, money } from "../ui/formats.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/** Shows what makes the person's lists and how many tokens it uses, with the models to choose from. */
export async function showModelChoice(container, signal) {
    const estimate = await api.get("/v1/ai/estimate", { signal }).catch(() => null);
    if (!estimate) return;
    const { provider, choice, choices, endpoints } = estimate;
    const names = new Map([
        ["gemini", "Gemini"], ...endpoints.map(({ name, model }) => [name, `${name} (${model})`]),
        ["none", "No model: only rules"],
    ]);
    const isAsked = provider && provider !== "none";
    const asked = provider === "gemini" ? "Gemini" : `This Backline’s model ${names.get(provider)}`;
    // A chosen model that is no longer available is shown, but cannot be chosen again.
    const isLost = choice !== null && !choices.includes(choice);
    const select = choices.length > 2 || choice !== null ? element("select", {
        id: "model-choice", onchange: () => choose(select.value, container, signal),
    }, [...isLost ? [choice] : [], ...choices].map((value) => element("option", {
        value, selected: value === (choice ?? provider ?? "none"), disabled: !choices.includes(value),
    }, names.get(value) ?? value))) : null;
    const gone = isLost && choice !== "gemini"
        && `This Backline no longer has the model ${choice} that you chose. `;
    container.replaceChildren(...[
        select && element("div", { class: "field" }, element("label", { for: "model-choice" }, "Chosen by"), select),
        element("p", { class: "hint" }, ...[gone, ...isAsked ? [use(asked, estimate)] : rules(choices)].filter(Boolean)),
    ].filter(Boolean));
}

async function choose(choice, container, signal) {
    try {
        await api.put("/v1/ai/model", { choice }, { signal });
    } catch (problem) {
        if (signal.aborted || problem.status === 401) return;
        toast(messageFor(problem));
    }
    await showModelChoice(container, signal);
    container.querySelector("select")?.focus();
}

function use(model, { tokens, cost, usedThisMonth, monthlyTokens }) {
    return `${model} chooses the songs, with about ${grouped(tokens)} tokens`
        + `${cost ? ` for about ${money(cost)}` : ""}. You have used ${grouped(usedThisMonth)}`
        + `${monthlyTokens ? ` of ${grouped(monthlyTokens)}` : ""} this month. Backline sends titles and artists `
        + "of your songs, but no names, ids or times.";
}

function rules(choices) {
    return ["Backline makes playlists from your library by fixed rules. ", ...choices.includes("gemini") ? [] : [
        element("a", { href: "/setup/gemini" }, "Add a Gemini key"), " to let a model choose."]];
}
