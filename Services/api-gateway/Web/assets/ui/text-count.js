import { element, freshID } from "./dom.js";
import { grouped } from "./formats.js";

/** The number of characters as the API counts them. */
function lengthOf(text) {
    return [...text].length;
}

/** How many characters a text field (`FormField`) has, of how many at most: `{ element, show }`. */
export function textCount(field, longest) {
    const count = element("p", { class: "hint text-count", id: freshID("text-count") });
    field.input.setAttribute("aria-describedby", `${field.input.getAttribute("aria-describedby")} ${count.id}`);
    field.input.addEventListener("input", show);
    show();
    return { element: count, show };

    function show() {
        const length = lengthOf(field.value);
        count.textContent = `${grouped(length)} of ${grouped(longest)} characters`;
        count.classList.toggle("too-long", length > longest);
    }
}

/** What is wrong with a text that is too long, for `savingForm`; `null` for another one. */
export function tooLong(field, longest) {
    const length = lengthOf(field.value);
    if (length <= longest) return null;
    return { field, text: `The message has ${grouped(length)} characters; the limit is ${grouped(longest)}.` };
}
