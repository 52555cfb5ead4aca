import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { announce } from "../ui/announcer.js";

/** A button that shares the address of a concert's page by the browser's own sheet, or copies it where there is none. */
export function shareButton({ id, artistName }) {
    const address = new URL(`/concerts/${encodeURIComponent(id)}`, location.origin).href;
    const label = element("span", {}, "Share");
    return element("button", { class: "button", type: "button", onclick: share }, icon("share"), label);

    async function share() {
        if (navigator.share) {
            // The person may close the sheet, which is not a failure.
            await navigator.share({ title: `Concert: ${artistName}`, url: address }).catch(() => {});
            return;
        }
        try {
            await navigator.clipboard.writeText(address);
            label.textContent = "Address copied";
            announce("The address of this page was copied.");
        } catch {
            // Browsers allow it only on pages of HTTPS and on localhost.
            announce("Copy the address of this page from your browser’s address bar.");
        }
    }
}
