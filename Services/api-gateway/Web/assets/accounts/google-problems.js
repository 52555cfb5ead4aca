const operatorHelps = "The operator of this Backline has to correct its setup; the log names the cause.";
const tryLater = "Backline could not ask Google. Try again in a moment.";
const storageHelps = "Backline’s database did not accept this just now. Try again in a moment. If it happens again,"
    + " tell the operator of this Backline.";

/** Why signing in with Google failed and what to do, by the problem code that the gateway sends along. */
export const googleProblems = {
    stateUnknown: "This sign-in is over: it was finished before, it is older than ten minutes, or it began in another"
        + " browser. Try again.",
    consentFailed: "Google did not say who you are. Try again.",
    codeRefused: "Google refused its own authorization code. Try again.",
    signUpClosed: "No user here has this Google account, and it is not on the list of accounts that may join. The"
        + " operator of this Backline can add it.",
    noVerdict: "Backline had no result in time. Try again in a moment.",
    tooManyAttempts: "Too many sign-ins from your network failed lately. Wait a little, and try again.",
    tooManyRequests: "Too many sign-ins were started from your network lately. Wait a few seconds, and try again.",
    networkError: tryLater,
    upstreamError: tryLater,
    invalidResponse: tryLater,
    rateLimited: tryLater,
    googleNotConfigured: operatorHelps,
    clientRefused: operatorHelps,
    clientSecretUnreadable: operatorHelps,
    vaultUnavailable: operatorHelps,
    storageCorrupt: operatorHelps,
    internalError: operatorHelps,
    storageBusy: storageHelps,
    storageFull: storageHelps,
    storageReadOnly: storageHelps,
    storageFailed: storageHelps,
    invalidParameter: "The page to open afterwards is not one of this Backline. Try again.",
};

/** For every problem with the ID token itself. */
export const idTokenProblem = "Google’s proof of who you are is not valid. Try again.";
