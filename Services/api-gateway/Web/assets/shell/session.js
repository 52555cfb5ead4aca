import { api } from "./api.js";
import { forgetDrafts } from "./drafts.js";
import { forgetForeignData } from "./preferences.js";

/** The signed-in person: `user` is `{id, name, isAdmin}`, or `null`. */
class Session extends EventTarget {
    user = null;

    /** Reads the session. Throws a `Problem` when the gateway does not answer. */
    async load() {
        try {
            this.#setUser((await api.get("/v1/session", { isSigningIn: true })).user);
        } catch (problem) {
            if (problem.status !== 401) throw problem;
            this.#setUser(null);
        }
    }

    /** Starts a session. `proof` is `{ link }`, the code of a sign-in link, or `{ token }`. */
    async signIn(proof) {
        this.#setUser((await api.post("/v1/session", proof, { isSigningIn: true })).user);
    }

    /** Makes an account with the code of an invitation, and starts its session. */
    async signUp({ code, username }) {
        const body = { code, username };
        this.#setUser((await api.post("/v1/session/invitation", body, { isSigningIn: true })).user);
    }

    async signOut() {
        try {
            await api.delete("/v1/session", { isSigningIn: true });
        } catch (problem) {
            // The session had ended already.
            if (problem.status !== 401) throw problem;
        }
        forgetDrafts();
        this.#setUser(null);
    }

    /** Applies a changed username. */
    rename(name) {
        this.#setUser({ ...this.user, name });
    }

    /** Called when the gateway no longer knows the session. */
    expire() {
        this.#setUser(null);
    }

    #setUser(user) {
        this.user = user;
        // The next person to use this browser may be someone else.
        if (!user) forgetForeignData();
        else forgetDrafts({ butOf: user.id });
        this.dispatchEvent(new Event("change"));
    }
}

export const session = new Session();

/**
 * Calls `begin({ signal })` for whoever is signed in, now and later. `signal` is aborted when they no longer are.
 */
export function followPerson(begin) {
    let person = null;
    let leaving = new AbortController();
    session.addEventListener("change", follow);
    follow();

    function follow() {
        // Only the name may have changed.
        if (session.user?.id === person?.id) return;
        person = session.user;
        leaving.abort();
        leaving = new AbortController();
        if (person) begin({ signal: leaving.signal });
    }
}
