const operatorHelps = "The operator of this Backline needs to fix its setup; the log names the cause.";
const tryLater = "Backline got no valid answer from Google. Try again in a moment.";
const storageHelps = "Backline could not save this. Try again in a moment. If it happens again,"
    + " tell the operator of this Backline.";

/** Why signing in with Google failed and what to do, by the problem code that the gateway sends along. */
export const googleProblems = {
    stateUnknown: "This sign-in is no longer valid: it was already used, is older than ten minutes, or was started in"
        + " another browser. Try again.",
    consentFailed: "Google did not confirm who you are. Try again.",
    codeRefused: "Google rejected its own authorization code. Try again.",
    signUpClosed: "Nobody here uses this Google account, and it is not on the list of accounts that may join. The"
        + " operator of this Backline can add it.",
    accountSuspended: "An administrator of this Backline has suspended your account.",
    noVerdict: "Backline got no result in time. Try again in a moment.",
    tooManyAttempts: "Too many sign-ins from your network have failed recently. Wait a while, then try again.",
    tooManyRequests: "Too many sign-ins were started from your network recently. Wait a few seconds, then try again.",
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
    invalidParameter: "The page to open after signing in does not belong to this Backline. Try again.",
};

/** For every problem with the ID token itself. */
export const idTokenProblem = "Google’s proof of who you are is not valid. Try again.";
