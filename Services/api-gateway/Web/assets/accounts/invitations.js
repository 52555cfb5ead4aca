import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { longDate } from "../ui/formats.js";
import { savingForm } from "../ui/saving-form.js";
import { CredentialList } from "./credential-list.js";
import { shownOnce } from "./shown-once.js";

/** Links with which others get an account here. */
export function show({ main, signal }) {
    const invitations = new CredentialList({
        signal, title: "Open invitations", path: "/v1/invitations", action: "Withdraw",
        lead: "Links you created that nobody has used yet.", nothing: "There are none.",
        question: "The link will no longer work.", ended: "The invitation was withdrawn.",
        name: ({ createdAt }) => `Invitation of ${longDate(createdAt)}`,
        text: ({ expiresAt }) => `Valid until ${longDate(expiresAt)}`,
        mayEnd: () => true,
    });
    const link = element("div", {});
    const form = savingForm({
        fields: [], signal, action: "Create an invitation", busy: "Creating the invitation …",
        save: () => api.post("/v1/invitations", undefined, { signal }),
        saved: async ({ url, expiresAt }) => {
            link.replaceChildren(shownOnce(new URL(url, location.origin).href, "the link"),
                element("p", { class: "secondary" },
                    `Send it to one person. It works once, until ${longDate(expiresAt)}.`));
            announce("The invitation was created. Copy its link now: it will not be shown again.");
            await invitations.load();
        },
    });
    form.classList.remove("card");
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/profile/settings" }, "← Settings")),
        element("h1", {}, "Invitations"),
        element("p", { class: "lead" },
            "An invitation is a link with which one person gets an account on this Backline, within seven days."),
        element("section", { class: "card token-form", "aria-label": "A new invitation" }, link, form),
        invitations.element));
    return "Invitations";
}
