import { devicePush } from "../shell/device-push.js";
import { announce } from "../ui/announcer.js";
import { element, freshID } from "../ui/dom.js";
import { messageFor } from "../ui/problem-view.js";

/** Why this device has no switch, by the state of `devicePush`. */
const reasons = {
    insecure: "Browsers receive notifications only from sites with an https address. The administrator can give this "
        + "Backline one. The other ways below work without it.",
    homeScreen: "On iPhone and iPad, add Backline to the Home Screen first: open the Share menu of Safari, and choose "
        + "“Add to Home Screen”. Then open Backline from there, and switch notifications on in these settings.",
    unsupported: "This browser cannot receive notifications.",
    blocked: "You have blocked notifications from this site in this browser. Allow them in the browser’s settings of "
        + "this site, and reload this page.",
};
/** Why nobody gets pushes to browsers, by the API's state. */
const missing = {
    noKey: "Backline is preparing notifications on devices. This takes about a minute.",
    noContact: "Notifications on devices are not set up yet: the administrator has to set push.contact, or a public "
        + "https address of this Backline.",
};

/**
 * Whether this device shows notifications, with a switch. Only a press on it asks for the browser's permission. `key`
 * is the answer of `/v1/notifications/web-push`, which `reload()` reads again; `changed()` is called after the switch
 * was used.
 */
export class DeviceSwitch {
    element;
    #options;
    #key;
    #input;
    #row;
    #note = element("p", { class: "secondary" });
    #error = element("p", { class: "field-error", role: "alert" });
    #retry;
    #isBusy = false;

    constructor(key, options) {
        const id = freshID("device");
        this.#key = key;
        this.#options = options;
        this.#input = element("input", {
            type: "checkbox", role: "switch", "aria-describedby": `${id}-note`, onchange: () => this.#change(),
        });
        this.#note.id = `${id}-note`;
        this.#row = element("label", { class: "option" }, this.#input, "Notifications on this device");
        this.#retry = element("div", { class: "detail-buttons" },
            element("button", { class: "button", type: "button", onclick: options.reload }, "Check again"));
        this.element = element("section", { class: "card settings-part", "aria-labelledby": id },
            element("h2", { id }, "This device"), this.#row, this.#note, this.#error, this.#retry);
        devicePush.addEventListener("change", () => this.#show(), { signal: options.signal });
        this.#show();
    }

    #show() {
        if (this.#isBusy) return;
        const { state } = devicePush;
        const isReady = this.#key.state === "ready";
        const reason = reasons[state] ?? (isReady || state === "on" ? null : missing[this.#key.state]);
        this.#row.hidden = Boolean(reason);
        this.#retry.hidden = Boolean(reasons[state]) || this.#key.state !== "noKey";
        this.#input.checked = state === "on";
        this.#note.textContent = reason ?? {
            on: "Backline can notify you here while no page of it is open.",
            off: "Your browser will ask whether you allow it.",
            stopped: "Push has stopped on this device: the browser, its push service or another device of yours has "
                + "ended it. Switch it on again to get notifications here.",
        }[state];
    }

    async #change() {
        const { checked } = this.#input;
        if (this.#isBusy) {
            this.#input.checked = !checked;
            return;
        }
        this.#isBusy = true;
        this.#input.ariaBusy = "true";
        this.#error.textContent = "";
        try {
            if (checked) await devicePush.turnOn(this.#key.publicKey);
            else await devicePush.turnOff();
            announce(checked ? "This device shows notifications now." : "This device no longer shows notifications.");
            this.#options.changed();
        } catch (problem) {
            if (!this.#options.signal.aborted && problem.status !== 401) this.#error.textContent = messageFor(problem);
        } finally {
            this.#isBusy = false;
            this.#input.ariaBusy = "false";
            this.#show();
        }
    }
}
