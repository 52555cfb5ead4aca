import { api } from "../shell/api.js";
import { element } from "../components/dom.js";
import { icon } from "../components/icons.js";

const operatorHelps = "Whoever runs this Backline has to mend something; its log says what.";
const laterHelps = "Google could not be asked. Try again in a moment.";
const storageHelps = "The database could not take it just now. Try again in a moment. If it stays so, tell whoever runs"
    + " this Backline.";

/** Why nobody was signed in, by the gateway's code. */
const failures = {
    stateUnknown: "This sign-in was finished before, is older than ten minutes, or was begun in another browser. Try"
        + " again.",
    consentFailed: "Google sent you back without saying who you are. Try again.",
    codeRefused: "Google did not accept its own code any more. Try again.",
    signUpClosed: "Nobody here has this Google account, and it is not among those that may join. Whoever runs this"
        + " Backline can let it in.",
    noVerdict: "Google's answer was not worked on in time. Try again in a moment.",
    tooManyAttempts: "Too many sign-ins from here went wrong lately. Wait a little, and try again.",
    networkError: laterHelps, upstreamError: laterHelps, invalidResponse: laterHelps, rateLimited: laterHelps,
    googleNotConfigured: operatorHelps, clientRefused: operatorHelps, clientSecretUnreadable: operatorHelps,
    vaultUnavailable: operatorHelps, storageCorrupt: operatorHelps, internalError: operatorHelps,
    storageBusy: storageHelps, storageFull: storageHelps, storageReadOnly: storageHelps, storageFailed: storageHelps,
    invalidParameter: "The page that you wanted to see is none of this Backline. Try again.",
};

/** "Sign in with Google", where that is possible, and why it went wrong before. `next` is where it leads. */
export function googleCard(next, signal) {
    const address = new URL(location.href);
    const code = address.searchParams.get("code");
    const card = element("div", { class: "card", hidden: !code });
    if (code) {
        card.append(element("p", { class: "field-error", role: "alert" }, icon("alert"),
            `You were not signed in with Google. ${failures[code] ?? "Google's proof of who you are is not valid."}`));
        // It happened once: a reload must not tell of it again.
        address.searchParams.delete("code");
        history.replaceState(null, "", address.pathname + address.search + address.hash);
    }
    offer();
    return card;

    async function offer() {
        // An extra: without it there are the other two ways.
        const ways = await api.get("/v1/auth", { signal, isSigningIn: true }).catch(() => null);
        if (!ways?.google?.startURL) return;
        card.append(element("a", {
            class: "button primary", href: `${ways.google.startURL}?returnTo=${encodeURIComponent(next)}`,
        }, "Sign in with Google"));
        card.hidden = false;
    }
}
