const tryAgain = "Try again.";
const tryLater = "Try again later.";
const operatorHelps = "Whoever runs this Backline has to correct this:";

/** Why an attempt to connect Spotify failed and what to do, by the problem code that the gateway sends along. */
export const spotifyProblems = {
    stateUnknown: `This attempt is over: it was finished before, it is older than ten minutes, or it began in another`
        + ` browser. ${tryAgain}`,
    authorizationOver: `This attempt took longer than ten minutes. ${tryAgain}`,
    consentFailed: `Spotify sent no permission. ${tryAgain}`,
    codeRefused: `Spotify refused its own authorization code. ${tryAgain}`,
    accountUnknown: `Spotify did not tell whose account this is, and another account may not replace yours unasked.`
        + ` Nothing has changed. ${tryAgain}`,
    noVerdict: `Backline had no result in time. ${tryAgain}`,
    notReached: `Backline could not reach Spotify. ${tryAgain}`,
    timedOut: `Spotify did not answer in time. ${tryAgain}`,
    serverError: `Spotify answered with an error of its own. ${tryLater}`,
    unreadable: `Backline could not read Spotify’s answer. ${tryLater}`,
    rateLimited: `Spotify asked for fewer requests. ${tryLater}`,
    quotaExhausted: "Today’s requests to Spotify are used up. Try again tomorrow.",
    accountNotAllowed: `Spotify does not let your account use this Backline. ${operatorHelps} they add your account in`
        + " Spotify’s developer dashboard.",
    clientRefused: `Spotify does not know this Backline. ${operatorHelps} spotify.clientID is wrong.`,
    tokenRequestRefused: `Spotify refused this Backline’s request. ${operatorHelps} the log has the details.`,
    vaultUnavailable: `Backline cannot store Spotify’s tokens safely at present. ${operatorHelps} “backline doctor”`
        + " names the cause.",
    secretsSealed: `Backline cannot read back what Spotify sent. ${operatorHelps} “backline doctor” names the cause.`,
};
