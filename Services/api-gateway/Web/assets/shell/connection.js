import { announce } from "../ui/announcer.js";
import { api } from "./api.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** How often an unreachable gateway is tried again, in milliseconds. */
const interval = 2_000;

/** Shows a banner while the gateway cannot be reached, tries again, and dispatches `restored` when it answers. */
class Connection extends EventTarget {
    #banner = document.getElementById("connection");
    #timer = null;

    start() {
        api.addEventListener("unreachable", () => this.#showBanner());
        api.addEventListener("reached", () => this.#hideBanner());
        addEventListener("offline", () => this.#showBanner());
        addEventListener("online", () => this.#check());
    }

    get isLost() {
        return this.#timer !== null;
    }

    #showBanner() {
        if (this.isLost) return;
        this.#banner.replaceChildren(
            icon("alert"),
            element("p", {},
                "Backline cannot be reached. What you see may be out of date. This page keeps trying to reconnect."),
            element("button", { class: "button small", type: "button", onclick: () => this.#check() }, "Try now"));
        this.#banner.hidden = false;
        this.#timer = setInterval(() => this.#check(), interval);
    }

    #check() {
        // An answer dispatches `reached`.
        api.isReachable();
    }

    #hideBanner() {
        if (!this.isLost) return;
        clearInterval(this.#timer);
        this.#timer = null;
        this.#banner.hidden = true;
        this.#banner.replaceChildren();
        announce("Backline can be reached again.");
        this.dispatchEvent(new Event("restored"));
    }
}

export const connection = new Connection();
