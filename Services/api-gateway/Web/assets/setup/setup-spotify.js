import { announce } from "../shell/announcer.js";
import { api } from "../shell/api.js";
import { confirmed } from "../components/confirmation.js";
import { element } from "../components/dom.js";
import { longDate } from "../components/formats.js";
import { icon } from "../components/icons.js";
import { wordsFor } from "../components/problem-view.js";
import { backToChecklist, outsideLink, setupView, troubleView } from "./setup-view.js";

/** The `revokeURL` of the API, which it names when it has disconnected; it is shown before that, too. */
const revokeAddress = "https://www.spotify.com/account/apps/";

const later = "Try again later.";
const again = "Try again.";
const whoRunsIt = "Whoever runs this Backline has to see to it:";

/** What came of an attempt that failed, and what to do, by the gateway's code. */
const failures = {
    stateUnknown: `This attempt was finished before, is older than ten minutes, or was begun in another browser.`
        + ` ${again}`,
    authorizationOver: `This attempt took longer than ten minutes. ${again}`,
    consentFailed: `Spotify sent no permission back. ${again}`,
    codeRefused: `Spotify did not accept its own code any more. ${again}`,
    noVerdict: `Spotify's answer was not worked on in time. ${again}`,
    notReached: `Spotify could not be reached. ${again}`,
    timedOut: `Spotify did not answer in time. ${again}`,
    serverError: `Spotify has trouble of its own. ${later}`,
    unreadable: `Spotify's answer made no sense. ${later}`,
    rateLimited: `Spotify asked for a pause. ${later}`,
    quotaExhausted: "What Spotify allows this Backline in a day is used up. Try again tomorrow.",
    accountNotAllowed: `Spotify lets only accounts use this Backline that are entered at Spotify. ${whoRunsIt} they can`
        + " add yours.",
    clientRefused: `Spotify does not know this Backline. ${whoRunsIt} spotify.clientID is wrong.`,
    tokenRequestRefused: `Spotify did not understand what this Backline asked. ${whoRunsIt} the log says more.`,
    vaultUnavailable: `What Spotify sent cannot be kept safe at present. ${whoRunsIt} “backline doctor” says why.`,
    secretsSealed: `What Spotify sent could not be opened any more. ${whoRunsIt} “backline doctor” says why.`,
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
                `Spotify was not connected. ${failures[code] ?? `Something went wrong on the way. ${again}`}`);
            hasFailed = false;
            return [failure, troubleView(step), connectedView(step, signal), connectView(step, signal)];
        },
    });
    if (outcome === "connected") backToChecklist("Spotify is connected.", signal, { replaces: true });
    return title;
}

/** "Connect with Spotify", unless all is well. */
function connectView(step, signal) {
    const asksScope = step.recovery === "askScope";
    if (step.state === "complete" && step.recovery !== "reconnect" && !asksScope) return null;
    const error = element("p", { class: "field-error", role: "alert" });
    const words = asksScope ? "Allow it at Spotify" : step.state === "complete" ? "Renew with Spotify"
        : "Connect with Spotify";
    const button = element("button", { class: "button primary large", type: "button", onclick: connect },
        icon("music"), words);
    return element("div", { class: "connect" }, button, error);

    async function connect() {
        error.textContent = "";
        button.disabled = true;
        announce("Opening Spotify …");
        try {
            const { authorizeURL } = await api.post("/v1/setup/spotify/authorize",
                asksScope ? { scopes: step.missingScopes } : {}, { signal });
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
