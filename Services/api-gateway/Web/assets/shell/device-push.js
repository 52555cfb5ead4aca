import { freshUUID } from "../ui/fresh-uuid.js";
import { toast } from "../ui/toast.js";
import { api } from "./api.js";
import { preference, remember } from "./preferences.js";
import { subscription as current, unsubscribe } from "./push-subscription.js";
import { session } from "./session.js";

/** The service worker, which shows what is pushed. It is at the root, so that it may act for the whole site. */
const worker = "/service-worker.js";

/**
 * Pushes to this browser (Push API). Its subscription is a push target of the person, whose id the browser stores.
 * Every start of a page posts the subscription again, since browsers and push services may end or replace it.
 *
 * `state` is one of
 * - `insecure`: the site is not at an https address, where browsers have no pushes;
 * - `homeScreen`: an iPhone or iPad, which has them only for sites on the Home Screen;
 * - `unsupported`: a browser without them;
 * - `blocked`: the person has forbidden the notifications of this site;
 * - `off`, `on`;
 * - `stopped`: they were on, and have ended without the person switching them off.
 *
 * Dispatches `change`.
 */
class DevicePush extends EventTarget {
    get state() {
        if (!isSecureContext) return "insecure";
        if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
            return isOnApplePhone() && !isInstalled() ? "homeScreen" : "unsupported";
        }
        if (Notification.permission === "denied") return "blocked";
        if (!this.#target) return "off";
        return this.#target.hasStopped ? "stopped" : "on";
    }

    /** The id of the person's push target that this browser is; `null` for none. */
    get targetID() {
        return this.#target?.id ?? null;
    }

    get #target() {
        const [userID, id, state] = preference("pushTarget", "").split(" ");
        return userID === session.user?.id && id ? { id, hasStopped: state === "stopped" } : null;
    }

    /** Posts the subscription again. Without one, or without its target, pushes have stopped. */
    async confirm(signal) {
        if (signal.aborted || !this.#target || this.#target.hasStopped || !isSecureContext) return;
        const { id } = this.#target;
        try {
            const [subscription] = await Promise.all([current(), api.get(path(id), { signal })]);
            if (signal.aborted) return;
            if (!subscription) return await this.#stop(id);
            await post(id, subscription, signal);
        } catch (problem) {
            // A target that is gone was removed by the person on another device, or ended by its push service. Of any
            // other failure nothing is known.
            if (!signal.aborted && problem.status === 404) await this.#stop(id);
        }
    }

    async #stop(id) {
        remember("pushTarget", `${session.user.id} ${id} stopped`);
        await unsubscribe().catch(() => {});
        toast("Notifications have stopped on this device. You can switch them on again in the settings.");
        this.#dispatch();
    }

    /**
     * Subscribes this browser, which asks the person for the permission: only a press may call this. `publicKey` is the
     * installation's. Throws a `Problem`, or an `Error` with a text for people.
     */
    async turnOn(publicKey) {
        const permission = await Notification.requestPermission();
        if (permission !== "granted") {
            this.#dispatch();
            throw new PushError(permission === "denied"
                ? "You have blocked notifications of this site in this browser."
                : "Your browser asked, and got no answer. Switch it on again, and allow notifications.");
        }
        const subscription = await subscribe(publicKey);
        const id = this.targetID ?? freshUUID();
        try {
            await post(id, subscription);
        } catch (problem) {
            await subscription.unsubscribe().catch(() => {});
            throw problem;
        }
        remember("pushTarget", `${session.user.id} ${id}`);
        this.#dispatch();
    }

    /** Ends the subscription. Throws a `Problem`. */
    async turnOff() {
        const id = this.targetID;
        try {
            if (id) await api.delete(path(id));
        } catch (problem) {
            if (problem.status !== 404) throw problem;
        }
        this.forget();
        await unsubscribe().catch(() => {});
    }

    /** Called when the target of this browser was removed on purpose. */
    forget() {
        remember("pushTarget", null);
        this.#dispatch();
    }

    #dispatch() {
        this.dispatchEvent(new Event("change"));
    }
}

/** A failure of the browser, with a text for people. */
class PushError extends Error {
    constructor(detail) {
        super(detail);
        // `messageFor` reads these.
        Object.assign(this, { code: "deviceRefusesPushes", detail });
    }
}

async function subscribe(applicationServerKey) {
    try {
        await navigator.serviceWorker.register(worker, { scope: "/", updateViaCache: "none" });
        const { pushManager } = await navigator.serviceWorker.ready;
        // One that was made for another key, or for another person, receives nothing.
        await (await pushManager.getSubscription())?.unsubscribe();
        return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    } catch (error) {
        console.warn(error);
        throw new PushError("Your browser could not reach its push service. Private windows have none, and some "
            + "networks block it. Try again later.");
    }
}

async function post(id, subscription, signal) {
    await api.put(path(id), { webPush: subscription.toJSON() }, { signal });
}

function path(id) {
    return `/v1/me/push-targets/${id}`;
}

/** iPads call themselves Macs, which have no touch screen. */
function isOnApplePhone() {
    return /iPhone|iPad|iPod/.test(navigator.userAgent)
        || (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
}

function isInstalled() {
    return navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;
}

export const devicePush = new DevicePush();
