import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { savingForm } from "../ui/saving-form.js";
import { changeSettings } from "./setting-changes.js";

const proposed = { start: "22:00", end: "07:00" };

/** The hours in which nothing is pushed, as times of the clock on the wall. */
export function quietHours(settings, { signal }) {
    const { start, end } = settings.quietHours ?? proposed;
    const from = new FormField({ name: "quietHours.start", label: "From", type: "time", value: start, required: true });
    const to = new FormField({ name: "quietHours.end", label: "To", type: "time", value: end, required: true });
    const toggle = element("input", { type: "checkbox", checked: settings.quietHours !== null, onchange: showTimes });
    const times = element("div", { class: "time-fields" });
    const form = savingForm({
        fields: [from, to], refused: to, signal, check,
        content: [element("label", { class: "option" }, toggle, "Pause pushes at certain hours"), times],
        save: () => changeSettings(
            { quietHours: toggle.checked ? { start: from.value, end: to.value } : null }, { signal }),
        saved: () => {},
    });
    form.classList.remove("card");
    // The form has put them into a column.
    times.append(from.element, to.element);
    showTimes();
    return element("section", { class: "card settings-part", "aria-labelledby": "quiet-hours" },
        element("h2", { id: "quiet-hours" }, "Quiet hours"),
        element("p", { class: "secondary" },
            `The times are those of ${settings.timeZone.replaceAll("_", " ")}, the time zone of `,
            element("a", { href: "/profile/edit" }, "your profile"),
            ". What happens in between is pushed together at the end."),
        form);

    function showTimes() {
        times.hidden = !toggle.checked;
    }

    function check() {
        if (!toggle.checked) return null;
        const missing = [from, to].find(({ value }) => value === "");
        if (missing) return { field: missing, text: "Enter a time." };
        return from.value === to.value ? { field: to, text: "Choose two different times." } : null;
    }
}
