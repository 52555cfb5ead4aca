import { announce } from "../shell/announcer.js";
import { element } from "./dom.js";
import { icon } from "./icons.js";
import { wordsFor } from "./problem-view.js";

/**
 * A form that keeps what was typed until it is saved: what is refused is said at its field, and what may work later
 * can be tried again.
 *
 * `check()` says of which field what is missing, as `{ field, words }`; `save()` sends the values; `saved(answer)`
 * follows. `refused` is the field of a refusal that names none.
 */
export function savingForm({
    fields, content = [], check = () => null, save, saved, refused = null, action = "Save", busy = "Saving …", signal,
}) {
    const button = element("button", { class: "button primary", type: "submit" }, action);
    const error = element("p", { class: "field-error", role: "alert" });
    const retry = element("button", { class: "button small", type: "submit", hidden: true }, icon("refresh"), "Retry");
    const form = element("form", { class: "card saving", novalidate: true, onsubmit: submit },
        fields.map((field) => field.element), content,
        element("div", { class: "saving-problem" }, error, retry),
        element("div", {}, button));
    return form;

    async function submit(event) {
        event.preventDefault();
        if (form.ariaBusy === "true") return;
        clear();
        const missing = check();
        if (missing) return failAt(missing.field, missing.words);
        setBusy(true);
        try {
            const answer = await save();
            if (!signal.aborted) await saved(answer);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) show(problem);
        } finally {
            setBusy(false);
        }
    }

    function show(problem) {
        const named = fields.find(({ name }) => problem.field === `$.${name}`);
        const isOfField = named || (problem.status === 422 && refused);
        if (isOfField) return failAt(named ?? refused, wordsFor(problem).replace(/^\$\.\w+: /, ""));
        error.textContent = wordsFor(problem);
        retry.hidden = !problem.isPassing;
        (retry.hidden ? button : retry).focus();
    }

    function failAt(field, words) {
        field.fail(words);
        field.focus();
    }

    function clear() {
        for (const field of fields) field.fail("");
        error.textContent = "";
        retry.hidden = true;
    }

    /** The button keeps the focus: it is only said to be disabled. */
    function setBusy(isBusy) {
        form.ariaBusy = String(isBusy);
        button.setAttribute("aria-disabled", String(isBusy));
        button.textContent = isBusy ? busy : action;
        for (const { input } of fields) input.readOnly = isBusy;
        if (isBusy) announce(busy);
    }
}
