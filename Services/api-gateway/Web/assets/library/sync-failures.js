import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { sourceName, sources } from "../ui/sources.js";
import { failures, failureText, noCloudLibrary } from "./sync-text.js";

/** The codes of errors that the person fixes on a service's setup page. */
const mendedInSetup = new Set([
    "accessTokenRefusedAgain", "connectionNeeded", "credentialMissing", "grantRefused", "keyRefused", "keyRestricted",
    "privateKeyUnreadable", "scopeMissing", "userTokenRefused",
]);
/** Apple Music does not name the account, so the person has to say whether a new token belongs to the same one. */
const asksForAccount = "accountUnclear";

/** What went wrong at each service and what to do, or `null` if nothing did. Each action is a function. */
export function syncFailures(sync, { retry, dismiss, answer }) {
    const failed = failures(sync);
    if (failed.length === 0) return openQuestions(sync, answer);
    const mayRetry = failed.some(({ error }) => error.code !== asksForAccount);
    return element("section", { class: "warnings", "aria-label": "Sync errors" },
        failed.map((source) => failure(source, answer)),
        element("div", { class: "actions" },
            mayRetry && element("button", { class: "button", type: "button", onclick: retry },
                icon("refresh"), "Retry"),
            element("button", { class: "button", type: "button", onclick: dismiss }, "Dismiss")));
}

function failure(source, answer) {
    const { code } = source.error;
    const name = sourceName(source.source);
    const isQuestion = code === asksForAccount;
    return element("div", { class: "warning", "data-code": code, "data-source": source.source },
        icon("alert"),
        element("div", {},
            element("h2", {}, heading(source, name)),
            element("p", {}, failureText(source)),
            isQuestion && accountQuestion(source.source, answer),
            mendedInSetup.has(code) && sources[source.source]
                && element("a", { class: "button", href: sources[source.source].setup }, `Set up ${name}`)));
}

function heading({ state, error }, name) {
    if (error.code === asksForAccount) return `Is this the same ${name} account?`;
    if (error.code === noCloudLibrary) return `${name} has no library for this account`;
    return state === "failed" ? `${name} was not synced` : `${name} has to wait`;
}

/** The questions that stay open after their error was dismissed, or `null` if there are none. */
function openQuestions(sync, answer) {
    const asking = (sync?.sources ?? []).filter(({ asksForAccount }) => asksForAccount);
    if (asking.length === 0) return null;
    return element("section", { "aria-label": "Open questions about the sync" }, asking.map(({ source }) =>
        element("div", { class: "card", "data-source": source },
            element("h2", {}, `Is this the same ${sourceName(source)} account?`),
            element("p", {}, "Until you answer, nothing is marked as missing."),
            accountQuestion(source, answer))));
}

function accountQuestion(source, answer) {
    const button = (text, same) => element("button", {
        class: "button", type: "button", onclick: () => answer(source, same),
    }, text);
    return element("div", { class: "account-answers" },
        button("Yes, the same account", true), button("No, another account", false));
}
