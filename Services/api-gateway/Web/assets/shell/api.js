/** A request that was not answered with what was asked for; its text is for people. */
export class Problem extends Error {
    /** `status` is 0 when the gateway was not reached at all. */
    constructor({ status, code, detail, field = null, retryAfter = null }) {
        super(detail);
        this.name = "Problem";
        Object.assign(this, { status, code, field, retryAfter });
    }

    /** Whether the same request may work later, with nothing changed. */
    get isPassing() {
        return this.status === 0 || this.status === 429 || this.status >= 500;
    }
}

const statusesOfProxies = [502, 503, 504];
const unreachable = "Backline cannot be reached. It may be restarting, or this device may be offline.";

/**
 * The gateway's HTTP API.
 *
 * It dispatches `reached` and `unreachable` as requests succeed or do not arrive, also when a proxy says so, and
 * `unauthorized` when the session has ended.
 */
class API extends EventTarget {
    get(path, options) {
        return this.#send("GET", path, undefined, options);
    }

    post(path, body, options) {
        return this.#send("POST", path, body, options);
    }

    put(path, body, options) {
        return this.#send("PUT", path, body, options);
    }

    patch(path, body, options) {
        return this.#send("PATCH", path, body, options);
    }

    /** `body` among the options is sent, where something has to be confirmed. */
    delete(path, { body, ...options } = {}) {
        return this.#send("DELETE", path, body, options);
    }

    /** Whether the gateway answers; never throws. */
    async isReachable() {
        try {
            // Everybody may ask it, and unlike /healthz it is not kept back by proxies.
            await this.#fetch("/v1/auth", { cache: "no-store" });
            return true;
        } catch {
            return false;
        }
    }

    /** The answer's JSON; `null` when it has none. */
    async #send(method, path, body, { signal, isSigningIn = false } = {}) {
        // The field tells the gateway that a page of its own asks: what another site has a browser ask lacks it.
        const headers = { Accept: "application/json", "Backline-Page": "1" };
        if (body !== undefined) headers["Content-Type"] = "application/json";
        const response = await this.#fetch(path, {
            method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
            credentials: "same-origin", cache: method === "GET" ? "no-cache" : "no-store",
        });
        const answer = await this.#read(response);
        if (response.ok) return answer;
        const problem = this.#problem(response, answer);
        if (problem.status === 401 && !isSigningIn) this.dispatchEvent(new Event("unauthorized"));
        throw problem;
    }

    async #fetch(path, options) {
        const response = await fetch(path, options).catch((error) => {
            // The page was left: nobody waits for this any more.
            if (error.name === "AbortError") throw error;
            return null;
        });
        if (!response || isOfProxy(response)) {
            this.dispatchEvent(new Event("unreachable"));
            throw new Problem({ status: 0, code: "unreachable", detail: unreachable });
        }
        this.dispatchEvent(new Event("reached"));
        return response;
    }

    async #read(response) {
        if (response.status === 204) return null;
        try {
            return await response.json();
        } catch (error) {
            if (error.name === "AbortError") throw error;
            if (!response.ok) return null;
            throw new Problem({ status: 0, code: "unreachable", detail: "The answer broke off. Try again." });
        }
    }

    #problem(response, answer) {
        const fallback = `The server answered with ${response.status} ${response.statusText}`.trimEnd() + ".";
        return new Problem({
            status: response.status, code: answer?.code ?? "unknown", detail: answer?.detail ?? fallback,
            field: answer?.field, retryAfter: Number(response.headers.get("Retry-After")) || null,
        });
    }
}

/** Whether a proxy answered in the place of a gateway that is away: the gateway's own errors are problems. */
function isOfProxy(response) {
    return statusesOfProxies.includes(response.status)
        && !response.headers.get("Content-Type")?.startsWith("application/problem+json");
}

export const api = new API();
