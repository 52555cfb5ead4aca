import { announce } from "./announcer.js";
import { element } from "./dom.js";
import { icon } from "./icons.js";
import { messageFor } from "./problem-view.js";

/**
 * A form that saves with a request, and keeps its values if that fails. A refusal shows at its field; a temporary error
 * has a Retry button.
 *
 * `check()` returns the first invalid field as `{ field, text }`, or `null`. `save()` sends the values, and
 * `saved(answer)` runs afterwards. `refused` is the field that shows a refusal (422) which names no field.
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
        if (missing) return failAt(missing.field, missing.text);
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
        if (isOfField) return failAt(named ?? refused, messageFor(problem));
        error.textContent = messageFor(problem);
        retry.hidden = !problem.isPassing;
        (retry.hidden ? button : retry).focus();
    }

    function failAt(field, text) {
        field.fail(text);
        field.focus();
    }

    function clear() {
        for (const field of fields) field.fail("");
        error.textContent = "";
        retry.hidden = true;
    }

    /** Marks the button as disabled for assistive technology only, so that it keeps the focus. */
    function setBusy(isBusy) {
        form.ariaBusy = String(isBusy);
        button.setAttribute("aria-disabled", String(isBusy));
        button.textContent = isBusy ? busy : action;
        for (const { input } of fields) input.readOnly = isBusy;
        if (isBusy) announce(busy);
    }
}
