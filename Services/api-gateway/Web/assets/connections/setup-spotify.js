import { api } from "../shell/api.js";
import { replaceAddress } from "../shell/navigate.js";
import { announce } from "../ui/announcer.js";
import { element, freshID } from "../ui/dom.js";
import { clockTime, longDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { outsideLink } from "../ui/outside-link.js";
import { messageFor } from "../ui/problem-view.js";
import { disconnectionConfirmed } from "./disconnecting.js";
import { backToChecklist, setupView, stepProblemView } from "./setup-view.js";
import { ownAppView } from "./spotify-app.js";
import { leadsToOwnApp, spotifyProblem } from "./spotify-problems.js";

/** The `revokeURL` that the API returns after a disconnection. The page shows it even before that. */
const revokeAddress = "https://www.spotify.com/account/apps/";

export function show(view) {
    const { signal } = view;
    const [outcome, code] = ["outcome", "code"].map((name) => new URLSearchParams(location.search).get(name));
    // A reload must not show the outcome again.
    if (outcome) replaceAddress(location.pathname);
    let failedCode = outcome === "failed" ? code ?? "" : null;
    const title = setupView(view, {
        id: "spotify", title: "Spotify",
        instructions: element("p", {}, "Backline reads what you play and save on Spotify to get to know your"
            + " artists. You give permission on Spotify’s own page, and can withdraw it at any time."),
        content: (step) => {
            const failed = failedCode;
            failedCode = null;
            const failure = failed !== null && element("p", { class: "field-error", role: "alert" }, icon("alert"),
                `Spotify was not connected. ${spotifyProblem(failed, step.app)}`);
            // The question says more than the note about it would.
            return [failure, step.question ? questionView(step, signal) : stepProblemView(step),
                connectedView(step, signal), connectView(step, signal),
                ownAppView(step, { isOpen: leadsToOwnApp(failed) || leadsToOwnApp(step.reason), signal })];
        },
    });
    if (outcome === "connected") backToChecklist("Spotify is connected.", signal, { replaces: true });
    return title;
}

/** The button that starts an authorization, or `null` if the connection needs none. */
function connectView(step, signal) {
    if (step.question || !canConnect(step.app)) return null;
    const asksScope = step.recovery === "askScope";
    const switches = Boolean(step.app.connectedWithOther);
    if (step.state === "complete" && step.recovery !== "reconnect" && !asksScope && !switches) return null;
    const error = element("p", { class: "field-error", role: "alert" });
    const text = switches ? "Connect with your app" : asksScope ? "Allow on Spotify"
        : step.state === "complete" ? "Renew access at Spotify" : "Connect with Spotify";
    const button = element("button", { class: "button primary large", type: "button", onclick: connect },
        icon("music"), text);
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
            error.textContent = messageFor(problem);
            button.disabled = false;
            button.focus();
        }
    }
}

/** Whether there is an app to connect with. */
function canConnect({ clientId, installationApp, redirectURI }) {
    return Boolean(redirectURI && (clientId || installationApp));
}

/** Asks whether the account that the person signed in with at Spotify should replace the connected one. */
function questionView({ question, account: former = "another account" }, signal) {
    const { id, account, expiresAt } = question;
    const heading = freshID("question");
    const error = element("p", { class: "field-error", role: "alert" });
    const buttons = [
        [`Connect ${account}, keep the data`, "keep", `Spotify is connected as ${account}.`],
        [`Connect ${account}, delete the data`, "delete", `Spotify is connected as ${account}.`],
        [`Stay with ${former}`, "cancel", "Nothing has changed."],
    ].map(([text, answer, sentence]) => element("button", {
        class: answer === "delete" ? "button danger" : "button", type: "button",
        onclick: (event) => give(answer, sentence, event.currentTarget),
    }, text));
    return element("section", { class: "card saved-key", "aria-labelledby": heading },
        element("h2", { id: heading }, "Another Spotify account"),
        element("p", {}, `You signed in to Spotify as ${account}, but Backline is connected as ${former}. Should`
            + ` ${account} replace ${former}? Backline can keep or delete the data that it has read from the account`
            + ` ${former}.`),
        element("p", {}, "If you do not answer by ",
            element("time", { datetime: expiresAt }, clockTime(expiresAt)),
            `, nothing changes. To connect as ${former} again, sign in to Spotify as ${former} first.`),
        element("div", { class: "actions" }, buttons), error);

    async function give(answer, sentence, button) {
        error.textContent = "";
        for (const each of buttons) each.disabled = true;
        try {
            await api.post("/v1/setup/spotify/account", { id, answer }, { signal });
            await backToChecklist(sentence, signal);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            error.textContent = messageFor(problem);
            for (const each of buttons) each.disabled = false;
            button.focus();
        }
    }
}

function connectedView(step, signal) {
    if (!step.connectedAt) return null;
    const error = element("p", { class: "field-error", role: "alert" });
    const isComplete = step.state === "complete";
    const renewal = isComplete && step.expiresAt ? ` Renew by ${longDate(step.expiresAt)}.` : "";
    const account = step.account ? ` as ${step.account}` : "";
    const text = isComplete ? "Connected" : "Was connected";
    return element("section", { class: "card saved-key", "aria-label": "Connection" },
        element("p", { class: "connected" }, icon(isComplete ? "check" : "alert"),
            `${text}${account} since ${longDate(step.connectedAt)}.${renewal}`),
        step.formerAccounts
            && element("p", {}, `Backline also keeps the data from ${step.formerAccounts.join(" and ")}.`),
        element("button", { class: "button", type: "button", onclick: disconnect }, "Disconnect"),
        element("p", {}, "You can also withdraw permission on Spotify: ",
            outsideLink(revokeAddress, "your apps at Spotify"), "."),
        error);

    async function disconnect() {
        error.textContent = "";
        try {
            const isMeant = await disconnectionConfirmed({
                source: "spotify", name: "Spotify", signal,
                withdrawal: "To withdraw permission on Spotify as well, follow the link that is shown afterwards.",
            });
            if (!isMeant) return;
            await api.delete("/v1/setup/spotify", { signal });
            await backToChecklist("Spotify is disconnected.", signal, {
                link: { href: revokeAddress, text: "Remove Backline from your apps at Spotify, too" },
            });
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}
