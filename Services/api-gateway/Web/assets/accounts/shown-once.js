import { announce } from "../ui/announcer.js";
import { element, hiddenText } from "../ui/dom.js";

/** A token or a link that is shown only now, with a button that copies it. `name` completes the button's name. */
export function shownOnce(text, name) {
    const copy = element("button", { class: "button small", type: "button", onclick: write },
        "Copy", hiddenText(` ${name}`));
    return element("div", { class: "new-token" },
        element("p", {}, "Copy it now. It will not be shown again."), element("code", {}, breakable(text)), copy);

    async function write() {
        try {
            await navigator.clipboard.writeText(text);
            copy.textContent = "Copied";
            announce("Copied.");
        } catch {
            // Browsers allow this only at https addresses and on localhost.
            copy.textContent = "Copy it by hand";
        }
    }
}

/** The parts of an address, between which a line may end. */
function breakable(text) {
    return text.split(/(?<=[/#])/).flatMap((part) => [part, element("wbr")]);
}
