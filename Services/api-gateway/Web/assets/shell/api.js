import { loaded } from "./loading.js";

/** A request that failed. Its message is for people. */
class Problem extends Error {
    /** `status` is 0 when no gateway answered. `code` is the gateway's problem code, `retryAfter` is in seconds. */
    constructor({ status, code, detail, field = null, retryAfter = null }) {
        super(detail);
        this.name = "Problem";
        Object.assign(this, { status, code, field, retryAfter });
    }

    /** Whether the same request may succeed later. */
    get isPassing() {
        return this.status === 0 || this.status === 429 || this.status >= 500;
    }
}

// `Backline-Page` marks requests of our own pages. Another site cannot make a browser send it.
const pageHeaders = { Accept: "application/json", "Backline-Page": "1" };
const proxyStatuses = [502, 503, 504];
const unreachable = "Backline cannot be reached. It may be restarting, or this device may be offline.";

/**
 * The gateway's HTTP API.
 *
 * It dispatches `reached` when the gateway answers, `unreachable` when it does not or a proxy answers in its place, and
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

    /** Sends the `body` of the options, which some deletions need as a confirmation. */
    delete(path, { body, ...options } = {}) {
        return this.#send("DELETE", path, body, options);
    }

    /** Sends a file. `progress(share)` is called with the share that has been sent, from 0 to 1. */
    async upload(path, file, { method = "POST", signal, progress }) {
        const headers = { ...pageHeaders, "Content-Type": file.type || "application/octet-stream" };
        const sending = loaded(import("./file-upload.js")).then(({ sendFile }) =>
            sendFile(method, path, file, { headers, signal, progress }));
        return this.#answer(await this.#reach(sending));
    }

    /** Whether the gateway answers; never throws. */
    async isReachable() {
        try {
            // It needs no session and, unlike /healthz, reaches the gateway through every proxy.
            await this.#fetch("/v1/auth", { cache: "no-store" });
            return true;
        } catch {
            return false;
        }
    }

    /** Returns the answer's JSON, or `null` when it has none. Throws a `Problem` for every other outcome. */
    async #send(method, path, body, { signal, isSigningIn = false } = {}) {
        const headers = { ...pageHeaders };
        if (body !== undefined) headers["Content-Type"] = "application/json";
        const response = await this.#fetch(path, {
            method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
            credentials: "same-origin", cache: method === "GET" ? "no-cache" : "no-store",
        });
        return this.#answer(response, { isSigningIn });
    }

    async #answer(response, { isSigningIn = false } = {}) {
        const answer = await this.#read(response);
        if (response.ok) return answer;
        const problem = this.#problem(response, answer);
        if (problem.status === 401 && !isSigningIn) this.dispatchEvent(new Event("unauthorized"));
        throw problem;
    }

    #fetch(path, options) {
        return this.#reach(fetch(path, options));
    }

    async #reach(request) {
        const response = await request.catch((error) => {
            // The person left the page that made the request.
            if (error.name === "AbortError") throw error;
            return null;
        });
        if (!response || isFromProxy(response)) {
            this.dispatchEvent(new Event("unreachable"));
            throw new Problem({ status: 0, code: "unreachable", detail: unreachable });
        }
        this.dispatchEvent(new Event("reached"));
        return response;
    }

    async #read(response) {
        if (response.status === 204) return null;
        try {
            const text = await response.text();
            // What was accepted and is done later may have nothing to say.
            if (response.status === 202 && text === "") return null;
            return JSON.parse(text);
        } catch (error) {
            if (error.name === "AbortError") throw error;
            if (!response.ok) return null;
            throw new Problem({ status: 0, code: "unreachable", detail: "The answer was cut off. Try again." });
        }
    }

    #problem(response, answer) {
        const fallback = `The server answered with ${response.status} ${response.statusText}`.trimEnd() + ".";
        return new Problem({
            status: response.status, code: answer?.code ?? "unknown",
            detail: answer?.detail ? withoutField(answer.detail, answer.field) : fallback, field: answer?.field,
            retryAfter: Number(response.headers.get("Retry-After")) || null,
        });
    }
}

/** A detail without the field that it begins with, as in "$.name: expected a string.", which only programs need. */
function withoutField(detail, field) {
    if (!field || !detail.startsWith(`${field}: `)) return detail;
    const text = detail.slice(field.length + 2);
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a proxy answered because it could not reach the gateway. The gateway's own errors are problem documents. */
function isFromProxy(response) {
    return proxyStatuses.includes(response.status)
        && !response.headers.get("Content-Type")?.startsWith("application/problem+json");
}

export const api = new API();
