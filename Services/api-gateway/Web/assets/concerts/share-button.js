import { announce } from "../ui/announcer.js";
import { concertAddress } from "../ui/concert-names.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** A button that shares the address of a concert's page by the browser's own sheet, or copies it where there is none. */
export function shareButton(concert) {
    const address = new URL(concertAddress(concert), location.origin).href;
    const label = element("span", {}, "Share");
    return element("button", { class: "button", type: "button", onclick: share }, icon("share"), label);

    async function share() {
        if (navigator.share) {
            // The person may close the sheet, which is not a failure.
            await navigator.share({ title: `Concert: ${concert.artistName}`, url: address }).catch(() => {});
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
