import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { CopyField } from "../ui/copy-field.js";
import { element, freshID, hiddenText } from "../ui/dom.js";
import { longDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";

/** For how many days a link can be valid. */
const lifetimes = [1, 7, 30, 90];
const usual = 30;

/** Shows the public links to an own share: creates, copies and revokes them. */
export function openLinkSheet(share, { signal }) {
    return openSheet({ title: "Public links", content: () => new LinkSheet(share, signal).elements });
}

class LinkSheet {
    elements;
    #path;
    #signal;
    #error = element("p", { class: "field-error", role: "alert" });
    #made = element("div", {});
    #list = element("ul", { class: "entries", "aria-label": "Active links" });
    #heading = element("h3", { tabindex: "-1" }, "Active links");
    #days;
    #showsName;

    constructor({ id, song }, signal) {
        this.#path = `/v1/shares/${encodeURIComponent(id)}/links`;
        this.#signal = signal;
        const days = freshID("link-days");
        this.#days = element("select", { id: days }, lifetimes.map((count) => element("option", {
            value: String(count), selected: count === usual,
        }, count === 1 ? "1 day" : `${count} days`)));
        this.#showsName = element("input", { type: "checkbox" });
        this.elements = [
            element("p", {}, `Anyone with the link can see “${song.title}” and your message without an account. It also`
                + " stops working when you delete the share, make your profile private or delete your account."),
            element("p", { class: "hint" }, "People without an account cannot be blocked: somebody you blocked can"
                + " still open a link they receive."),
            element("form", { class: "saving", onsubmit: (event) => {
                event.preventDefault();
                this.#make();
            } },
            element("div", { class: "field" }, element("label", { for: days }, "Valid for"), this.#days),
            element("label", { class: "option" }, this.#showsName, "Show my name"),
            element("div", { class: "actions" },
                element("button", { class: "button primary", type: "submit" }, icon("link"), "Create link"))),
            this.#error, this.#made, this.#heading, this.#list,
        ];
        this.#load();
    }

    async #load() {
        this.#list.replaceChildren(element("li", { class: "secondary" }, "Loading …"));
        await this.#try(async () => {
            const { items } = await api.get(this.#path, { signal: this.#signal });
            this.#list.replaceChildren(...(items.length > 0 ? items.map((link) => this.#row(link))
                : [element("li", { class: "secondary" }, "None.")]));
        });
    }

    #make() {
        return this.#try(async () => {
            const link = await api.post(this.#path, {
                expiresInDays: Number(this.#days.value), showsName: this.#showsName.checked,
            });
            this.#showMade(link);
            await this.#load();
        });
    }

    /** The address is shown only now: Backline does not store it. */
    #showMade({ url, expiresAt }) {
        const field = new CopyField({
            label: `Your link, until ${longDate(expiresAt)}`, value: new URL(url, location.origin).href,
            hint: "Copy it now: Backline does not store it and cannot show it again.", copied: "The link was copied.",
        });
        this.#made.replaceChildren(field.element);
        field.focus();
    }

    #row({ id, expiresAt, createdAt, showsName }) {
        const text = `Created on ${longDate(createdAt)}, valid until ${longDate(expiresAt)}`
            + `${showsName ? ", with your name" : ""}.`;
        return element("li", {}, element("p", {}, text),
            element("button", { class: "button small", type: "button", onclick: () => this.#end(id) }, "Revoke",
                hiddenText(`: ${text}`)));
    }

    #end(id) {
        return this.#try(async () => {
            await api.delete(`${this.#path}/${encodeURIComponent(id)}`);
            this.#made.replaceChildren();
            announce("The link no longer works.");
            this.#heading.focus();
            await this.#load();
        });
    }

    async #try(work) {
        this.#error.textContent = "";
        try {
            await work();
        } catch (problem) {
            if (!this.#signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        }
    }
}
