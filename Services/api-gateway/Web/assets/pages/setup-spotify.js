import { announce } from "../announcer.js";
import { api } from "../api.js";
import { confirmed } from "../confirmation.js";
import { element } from "../dom.js";
import { longDate } from "../formats.js";
import { icon } from "../icons.js";
import { wordsFor } from "../problem-view.js";
import { backToChecklist, outsideLink, setupView, troubleView } from "../setup-view.js";

const revokeAddress = "https://www.spotify.com/account/apps/";

/** What came of an attempt that failed, by the gateway's code. */
const failures = {
    stateUnknown: "This attempt was finished before, is older than ten minutes, or was begun in another browser.",
    consentFailed: "Spotify sent no permission back.",
    noVerdict: "Spotify's answer was not worked on in time.",
    vaultClosed: "What Spotify sent cannot be kept safe at present. Whoever runs this Backline can find out why:"
        + " “backline doctor”.",
    codeRefused: "Spotify did not accept its own code any more.",
};

export function show(view) {
    const { signal } = view;
    const [outcome, code] = ["outcome", "code"].map((name) => new URLSearchParams(location.search).get(name));
    // It happened once: a reload must not tell of it again.
    if (outcome) history.replaceState(null, "", location.pathname);
    let hasFailed = outcome === "failed";
    const title = setupView(view, {
        id: "spotify", title: "Connect Spotify",
        instructions: element("p", {}, "Backline reads what you play and what you saved at Spotify, so that it knows"
            + " your artists. You allow it on Spotify's own page, and you can take it back at any time."),
        content: (step) => {
            const failure = hasFailed && element("p", { class: "field-error", role: "alert" }, icon("alert"),
                `Spotify was not connected. ${failures[code] ?? "Something went wrong on the way."} Try again.`);
            hasFailed = false;
            return [failure, troubleView(step), connectedView(step, signal), connectView(step, signal)];
        },
    });
    if (outcome === "connected") backToChecklist("Spotify is connected.", signal, { replaces: true });
    return title;
}

/** "Connect with Spotify", unless all is well. */
function connectView(step, signal) {
    if (step.state === "complete" && step.recovery !== "reconnect" && step.recovery !== "askScope") return null;
    const error = element("p", { class: "field-error", role: "alert" });
    const words = step.state === "complete" ? "Renew with Spotify" : "Connect with Spotify";
    const button = element("button", { class: "button primary large", type: "button", onclick: connect },
        icon("music"), words);
    return element("div", { class: "connect" }, button, error);

    async function connect() {
        error.textContent = "";
        button.disabled = true;
        announce("Opening Spotify …");
        try {
            const { authorizeURL } = await api.post("/v1/setup/spotify/authorize", {}, { signal });
            location.assign(authorizeURL);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            error.textContent = wordsFor(problem);
            button.disabled = false;
            button.focus();
        }
    }
}

function connectedView(step, signal) {
    if (!step.connectedAt) return null;
    const error = element("p", { class: "field-error", role: "alert" });
    const isComplete = step.state === "complete";
    const renewal = isComplete && step.expiresAt ? `, renew by ${longDate(step.expiresAt)}` : "";
    const account = step.account ? ` as ${step.account}` : "";
    const words = isComplete ? "Connected" : "It was connected";
    return element("section", { class: "card saved-key", "aria-label": "Connection" },
        element("p", { class: "connected" }, icon(isComplete ? "check" : "alert"),
            `${words}${account} since ${longDate(step.connectedAt)}${renewal}.`),
        element("button", { class: "button", type: "button", onclick: disconnect }, "Disconnect"),
        element("p", {}, "What you allowed can also be taken back at Spotify: ",
            outsideLink(revokeAddress, "your apps at Spotify"), "."),
        error);

    async function disconnect() {
        const isMeant = await confirmed({
            title: "Disconnect Spotify?", action: "Disconnect",
            words: "Backline forgets its access to your account at once. To withdraw the permission at Spotify as well,"
                + " follow the link to your apps there.",
        });
        if (!isMeant || signal.aborted) return;
        error.textContent = "";
        try {
            await api.delete("/v1/setup/spotify", { signal });
            await backToChecklist("Spotify is disconnected.", signal);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = wordsFor(problem);
        }
    }
}
