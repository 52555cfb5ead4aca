import { announce } from "./announcer.js";
import { api } from "./api.js";
import { element } from "../components/dom.js";
import { icon } from "../components/icons.js";

/** How long to wait between looks whether the gateway is back, in milliseconds. */
const interval = 2_000;

/** Says when the gateway cannot be reached, looks for it, and dispatches `restored` when it is back. */
class Connection extends EventTarget {
    #banner = document.getElementById("connection");
    #timer = null;

    start() {
        api.addEventListener("unreachable", () => this.#lost());
        api.addEventListener("reached", () => this.#found());
        addEventListener("offline", () => this.#lost());
        addEventListener("online", () => this.#look());
    }

    get isLost() {
        return this.#timer !== null;
    }

    #lost() {
        if (this.isLost) return;
        this.#banner.replaceChildren(
            icon("alert"),
            element("p", {},
                "Backline cannot be reached. What you see may be out of date; it is tried again by itself."),
            element("button", { class: "button small", type: "button", onclick: () => this.#look() }, "Try now"));
        this.#banner.hidden = false;
        this.#timer = setInterval(() => this.#look(), interval);
    }

    #look() {
        // A successful answer dispatches `reached`.
        api.isReachable();
    }

    #found() {
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
