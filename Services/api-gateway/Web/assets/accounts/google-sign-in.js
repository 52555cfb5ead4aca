import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { googleProblems, idTokenProblem } from "./google-problems.js";

/**
 * The "Sign in with Google" button, if this Backline offers it, and why the last attempt failed. `next` is the address
 * to open afterwards.
 */
export function googleCard(next, signal) {
    const address = new URL(location.href);
    const code = address.searchParams.get("code");
    const card = element("div", { class: "card", hidden: !code });
    if (code) {
        card.append(element("p", { class: "field-error", role: "alert" }, icon("alert"),
            `You were not signed in with Google. ${googleProblems[code] ?? idTokenProblem}`));
        // A reload must not show the failure again.
        address.searchParams.delete("code");
        history.replaceState(null, "", address.pathname + address.search + address.hash);
    }
    offer();
    return card;

    async function offer() {
        // Without an answer, the other two ways to sign in remain.
        const ways = await api.get("/v1/auth", { signal, isSigningIn: true }).catch(() => null);
        if (!ways?.google?.startURL) return;
        card.append(element("a", {
            class: "button primary", href: `${ways.google.startURL}?returnTo=${encodeURIComponent(next)}`,
        }, "Sign in with Google"));
        card.hidden = false;
    }
}
