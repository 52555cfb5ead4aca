import { api } from "../shell/api.js";
import { devicePush } from "../shell/device-push.js";
import { announce } from "../ui/announcer.js";
import { confirmed } from "../ui/confirmation.js";
import { element, hiddenText } from "../ui/dom.js";
import { clockTime, longDate } from "../ui/formats.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { ntfyForm } from "./ntfy-form.js";

/** Where the person's notifications are pushed to, each with a button that ends it, and a form for ntfy. */
export class PushTargets {
    element;
    #signal;
    #heading = element("h2", { tabindex: "-1" }, "Devices and topics");
    #list = element("ul", { class: "entries" });
    #error = element("p", { class: "field-error", role: "alert" });

    constructor(items, { signal }) {
        this.#signal = signal;
        this.element = element("section", { class: "card settings-part", "aria-label": "Devices and topics" },
            this.#heading, element("p", { class: "secondary" },
                "Your notifications are pushed here. A device or topic ends when you sign out of the session that "
                    + "added it."),
            this.#error, this.#list, ntfyForm({ signal, added: () => this.load() }));
        this.#show(items);
    }

    async load() {
        try {
            this.#show((await api.get("/v1/me/push-targets", { signal: this.#signal })).items);
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#list.replaceChildren(element("li", {}, problemView(problem, () => this.load(), { level: 3 })));
        }
    }

    #show(items) {
        this.#list.replaceChildren(...items.map((target) => this.#entry(target)));
        if (items.length === 0) this.#list.append(element("li", { class: "secondary" }, "Nowhere yet."));
    }

    #entry(target) {
        return element("li", { class: "entry" },
            element("span", { class: "entry-text" },
                element("span", { class: "entry-title" }, titleOf(target)),
                element("span", { class: "secondary" }, [
                    `added ${longDate(target.createdAt)}`,
                    target.sentAt ? `last push ${clockTime(target.sentAt)}` : "no push yet",
                ].join(" · ")),
                target.state === "refused" && element("span", { class: "field-error" }, target.channel === "ntfy"
                    ? "The server refuses the token, or needs one. Remove the topic, and add it with another token."
                    : "The push service refuses this Backline at the moment. The administrator sees why.")),
            element("button", { class: "button small", type: "button", onclick: () => this.#remove(target) },
                "Remove", hiddenText(` ${titleOf(target)}`)));
    }

    async #remove(target) {
        const isMeant = await confirmed({
            title: `Remove: ${titleOf(target)}?`, text: "Nothing is pushed there any more.", action: "Remove",
        });
        if (!isMeant || this.#signal.aborted) return;
        this.#error.textContent = "";
        try {
            if (target.id === devicePush.targetID) await devicePush.turnOff();
            else await api.delete(`/v1/me/push-targets/${target.id}`);
            await this.load();
            this.#heading.focus();
            announce("Removed.");
        } catch (problem) {
            if (!this.#signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        }
    }
}

function titleOf({ id, channel, host }) {
    if (id === devicePush.targetID) return "This device";
    return channel === "ntfy" ? `A topic on ${host}` : `A device, by ${host}`;
}
