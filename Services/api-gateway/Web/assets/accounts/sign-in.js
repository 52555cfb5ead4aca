import { element } from "../ui/dom.js";
import { googleCard } from "./google-sign-in.js";
import { messageFor } from "../ui/problem-view.js";
import { navigate } from "../shell/navigate.js";
import { session } from "../shell/session.js";

const usedLink = "This link has been used or has expired. Run “backline open” again on the server for a new one.";
const wrongToken =
    "Backline does not know this token. It may be mistyped, expired or revoked. Create a new one with “backline token"
    + " add”.";

export function show({ main, signal }) {
    const next = safeAddress(new URLSearchParams(location.search).get("next"));
    const error = element("p", { class: "field-error", id: "sign-in-error", role: "alert" });
    const token = element("input", {
        id: "token", type: "password", autocomplete: "current-password", required: true, spellcheck: "false",
        "aria-describedby": "token-hint sign-in-error",
    });
    const button = element("button", { class: "button primary", type: "submit" }, "Sign in");
    main.replaceChildren(element("div", { class: "sign-in" },
        element("h1", {}, "Sign in to Backline"),
        element("p", { class: "lead" }, "Please sign in to continue."),
        googleCard(next, signal),
        element("section", { class: "card" },
            element("h2", {}, "With a link"),
            element("p", {}, "On the server, run ", element("kbd", {}, "backline open"),
                " and open the link that it prints. The link works once, for ten minutes.")),
        element("form", { class: "card", novalidate: true, onsubmit: submit },
            element("h2", {}, "With a token"),
            element("label", { for: "token" }, "Token"),
            token,
            element("p", { class: "hint", id: "token-hint" },
                "“backline user add” prints it once; “backline token add” creates another."),
            error, button)));
    addEventListener("hashchange", signInWithLink, { signal });
    signInWithLink();
    return "Sign in";

    /** A link has its code in the fragment, which browsers do not send. The code leaves the address bar before use. */
    function signInWithLink() {
        const link = location.hash.slice(1);
        if (!link) return;
        history.replaceState(null, "", location.pathname + location.search);
        signIn({ link }, usedLink);
    }

    function submit(event) {
        event.preventDefault();
        const value = token.value.trim();
        if (value) return signIn({ token: value }, wrongToken);
        error.textContent = "Paste a token first.";
        token.setAttribute("aria-invalid", "true");
        token.focus();
    }

    async function signIn(proof, refusal) {
        error.textContent = "";
        token.removeAttribute("aria-invalid");
        button.disabled = true;
        try {
            await session.signIn(proof);
            // Not if the person went to another page in the meantime.
            if (!signal.aborted) await navigate(next, { replaces: true });
        } catch (problem) {
            if (signal.aborted) return;
            error.textContent = [401, 404, 410, 422].includes(problem.status) ? refusal : messageFor(problem);
            if (proof.token) {
                token.setAttribute("aria-invalid", "true");
                token.focus();
            }
        } finally {
            button.disabled = false;
        }
    }
}

/** An address of this site, or else the feed: a link to the sign-in page must not lead on to another site. */
function safeAddress(address) {
    if (!address || !URL.canParse(address, location.origin)) return "/feed";
    const url = new URL(address, location.origin);
    // A dot segment may leave a path that begins with two slashes, which alone is the address of another site.
    const isOurs = url.origin === location.origin && !url.pathname.startsWith("//") && url.pathname !== "/sign-in";
    return isOurs ? url.pathname + url.search : "/feed";
}
