import { api } from "./api.js";

/** Who is signed in. It dispatches `change` when that changes; `user` is `{id, name, isAdmin}` or `null`. */
class Session extends EventTarget {
    user = null;

    /** Asks the gateway; throws when it cannot be asked. */
    async load() {
        try {
            this.#become((await api.get("/v1/session", { isSigningIn: true })).user);
        } catch (problem) {
            if (problem.status !== 401) throw problem;
            this.#become(null);
        }
    }

    /** `proof` is `{ link }`, the code of a sign-in link, or `{ token }`. */
    async signIn(proof) {
        this.#become((await api.post("/v1/session", proof, { isSigningIn: true })).user);
    }

    async signOut() {
        try {
            await api.delete("/v1/session", { isSigningIn: true });
        } catch (problem) {
            // It had ended already, which is what was wanted.
            if (problem.status !== 401) throw problem;
        }
        this.#become(null);
    }

    /** Somebody changed their name, which pages show. */
    rename(name) {
        this.#become({ ...this.user, name });
    }

    /** The gateway does not know the session any more. */
    expire() {
        this.#become(null);
    }

    #become(user) {
        this.user = user;
        this.dispatchEvent(new Event("change"));
    }
}

export const session = new Session();
