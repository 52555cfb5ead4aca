import { api } from "../shell/api.js";
import { navigate } from "../shell/navigate.js";
import { session } from "../shell/session.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { emptyView, messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";
import { toast } from "../ui/toast.js";
import { usernameField } from "./username-field.js";

const useless = {
    picture: "key", title: "This invitation does not work",
    text: "It has already been used, is older than seven days, was withdrawn, or is incomplete. Ask for a new one.",
};

/** The page of an invitation's link: whoever has it chooses a username and gets an account. */
export function show({ main, signal }) {
    const view = element("div", {});
    let code = history.state?.code ?? null;
    main.replaceChildren(element("div", { class: "narrow" }, element("h1", {}, "Welcome to Backline"), view));
    addEventListener("hashchange", takeCode, { signal });
    takeCode();
    return "Invitation";

    /**
     * A link has its code in the fragment, which browsers do not send. The code leaves the address bar, and is kept in
     * the history entry, so that it survives a reload.
     */
    function takeCode() {
        const found = location.hash.slice(1);
        if (found) {
            code = found;
            history.replaceState({ code }, "", location.pathname);
        }
        showStep();
    }

    async function showStep() {
        if (!code) return view.replaceChildren(emptyView({ ...useless, actions: [wayOn()] }));
        if (session.user) return view.replaceChildren(alreadySignedIn());
        view.replaceChildren(element("p", { class: "secondary" }, "Checking your invitation …"));
        const checked = code;
        const isValid = await mayWork(checked);
        if (signal.aborted || code !== checked) return;
        if (isValid) view.replaceChildren(form());
        else forgetCode();
    }

    /** Whether an invitation is valid, as far as the gateway can say it now. */
    async function mayWork(invitation) {
        try {
            await api.post("/v1/session/invitation/check", { code: invitation }, { signal, isSigningIn: true });
        } catch (problem) {
            return problem.code !== "invalidInvitation";
        }
        return true;
    }

    function forgetCode() {
        code = null;
        history.replaceState(null, "", location.pathname);
        showStep();
        announce(`${useless.title}.`);
    }

    function wayOn() {
        return session.user ? element("a", { class: "button", href: "/feed" }, "Go to the feed")
            : element("a", { class: "button", href: "/sign-in" }, "Sign in");
    }

    function alreadySignedIn() {
        return emptyView({
            picture: "profile", title: "You have an account already",
            text: `You are signed in as ${session.user.name}. The invitation makes an account for somebody else.`,
            actions: [
                element("a", { class: "button primary", href: "/feed" }, "Go to the feed"),
                element("button", { class: "button", type: "button", onclick: signOut }, "Sign out and use it"),
            ],
        });
    }

    async function signOut() {
        try {
            await session.signOut();
            // The router shows what is in the header for a session.
            await navigate("/invitation#" + code, { replaces: true });
        } catch (problem) {
            if (!signal.aborted) toast(messageFor(problem));
        }
    }

    function form() {
        const username = usernameField({
            hint: "Others here find you by it. You can change it every 30 days.",
        });
        const made = savingForm({
            fields: [username], refused: username, signal, action: "Create my account",
            busy: "Creating your account …",
            check: () => username.value ? null : { field: username, text: "Enter a username." },
            save: signUp,
            saved: async (isValid) => {
                if (!isValid) return forgetCode();
                await navigate("/welcome", { replaces: true });
                announce("Your account was created. You are signed in.");
            },
        });
        made.prepend(element("p", {}, "You were invited to this Backline, which collects your music, your listening "
            + "history and your playlists in one place. Choose a username, and you have an account."));
        made.append(element("p", { class: "secondary" }, "Already have an account? ",
            element("a", { href: "/sign-in" }, "Sign in")));
        return made;

        /** Returns whether the invitation is valid. */
        async function signUp() {
            try {
                await session.signUp({ code, username: username.value });
                return true;
            } catch (problem) {
                if (problem.code === "invalidInvitation") return false;
                throw problem;
            }
        }
    }
}
