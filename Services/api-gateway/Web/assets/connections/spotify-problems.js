const tryAgain = "Try again.";
const tryLater = "Try again later.";
const operatorHelps = "The operator of this Backline needs to fix this:";
const ownerHelps = "You can use your own app below instead.";

/** Why an attempt to connect Spotify failed and what to do, by the problem code that the gateway sends along. */
const spotifyProblems = {
    stateUnknown: `This attempt is no longer valid: it was already used, is older than ten minutes, or was started in`
        + ` another browser. ${tryAgain}`,
    authorizationOver: `This attempt took longer than ten minutes. ${tryAgain}`,
    consentFailed: `Spotify did not give permission. ${tryAgain}`,
    codeRefused: `Spotify rejected its own authorization code. ${tryAgain}`,
    accountUnknown: `Spotify did not say which account you signed in with, so Backline did not replace the connected`
        + ` one. Nothing has changed. ${tryAgain}`,
    noVerdict: `Backline got no result in time. ${tryAgain}`,
    notReached: `Backline could not reach Spotify. ${tryAgain}`,
    timedOut: `Spotify did not answer in time. ${tryAgain}`,
    serverError: `Spotify reported an internal error. ${tryLater}`,
    unreadable: `Backline could not read Spotify’s answer. ${tryLater}`,
    rateLimited: `Spotify asked for fewer requests. ${tryLater}`,
    quotaExhausted: "Today’s requests to Spotify are used up. Try again tomorrow.",
    accountNotAllowed: "Spotify lets five people use this Backline’s app, and your account is not among them. The"
        + ` operator of this Backline can add it in Spotify’s developer dashboard, if a place is free. ${ownerHelps}`,
    ownerPremiumMissing: "Spotify does not answer requests from this Backline’s app, because its owner has no Premium"
        + ` subscription. The operator of this Backline needs to fix that. ${ownerHelps}`,
    clientRefused: `Spotify does not accept this Backline’s client id. ${operatorHelps} spotify.clientID is wrong.`,
    tokenRequestRefused: `Spotify rejected this Backline’s request. ${operatorHelps} the log has the details.`,
    vaultUnavailable: `Backline cannot store Spotify’s tokens safely right now. ${operatorHelps} “backline doctor”`
        + " names the cause.",
    secretsSealed: `Backline cannot decrypt Spotify’s answer. ${operatorHelps} “backline doctor” names the cause.`,
};

/** The same for the person's own app. */
const ownAppProblems = {
    accountNotAllowed: "Spotify does not let your account use your app. Add the account to the app’s users in Spotify’s"
        + ` developer dashboard. ${tryAgain}`,
    ownerPremiumMissing: "Spotify does not answer requests from your app, because its owner has no Premium"
        + " subscription. After the subscription changes, it can take a few hours until Spotify allows requests again.",
    clientRefused: "Spotify does not accept the client ID of your app. Compare it with Spotify’s developer dashboard.",
};

/** The message for a code. `app` is the step's. */
export function spotifyProblem(code, app) {
    return (app.clientId && ownAppProblems[code]) ?? spotifyProblems[code] ?? "Something went wrong. Try again.";
}

/** Whether the person's own app may solve a problem, or has it. */
export function leadsToOwnApp(code) {
    return ["accountNotAllowed", "ownerPremiumMissing", "clientRefused"].includes(code);
}
