const tryAgain = "Try again.";
const tryLater = "Try again later.";
const operatorHelps = "The operator of this Backline has to correct this:";

/** Why an attempt to connect Spotify failed and what to do, by the problem code that the gateway sends along. */
export const spotifyProblems = {
    stateUnknown: `This attempt is over: it was finished before, it is older than ten minutes, or it began in another`
        + ` browser. ${tryAgain}`,
    authorizationOver: `This attempt took longer than ten minutes. ${tryAgain}`,
    consentFailed: `Spotify did not give the permission. ${tryAgain}`,
    codeRefused: `Spotify refused its own authorization code. ${tryAgain}`,
    accountUnknown: `Spotify did not say which account you signed in with, so Backline did not replace the connected`
        + ` one. Nothing has changed. ${tryAgain}`,
    noVerdict: `Backline had no result in time. ${tryAgain}`,
    notReached: `Backline could not reach Spotify. ${tryAgain}`,
    timedOut: `Spotify did not answer in time. ${tryAgain}`,
    serverError: `Spotify answered with an error of its own. ${tryLater}`,
    unreadable: `Backline could not read Spotify’s answer. ${tryLater}`,
    rateLimited: `Spotify asked for fewer requests. ${tryLater}`,
    quotaExhausted: "Today’s requests to Spotify are used up. Try again tomorrow.",
    accountNotAllowed: `Spotify does not let your account use this Backline. The operator of this Backline has to add`
        + " it in Spotify’s developer dashboard.",
    clientRefused: `Spotify does not accept this Backline’s client id. ${operatorHelps} spotify.clientID is wrong.`,
    tokenRequestRefused: `Spotify refused this Backline’s request. ${operatorHelps} the log has the details.`,
    vaultUnavailable: `Backline cannot store Spotify’s tokens safely at present. ${operatorHelps} “backline doctor”`
        + " names the cause.",
    secretsSealed: `Backline cannot decrypt Spotify’s answer. ${operatorHelps} “backline doctor” names the cause.`,
};
