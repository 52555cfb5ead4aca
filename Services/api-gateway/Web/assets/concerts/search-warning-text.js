/** What a search could not find out, by the code of the warning. */
export const warningTitles = {
    networkError: "Ticketmaster could not be reached",
    upstreamError: "Ticketmaster reported an error",
    invalidResponse: "Ticketmaster’s answer could not be read",
    rateLimited: "Ticketmaster asked for fewer requests",
    ticketmasterKeyMissing: "Add your Ticketmaster API key",
    ticketmasterKeyInvalid: "Ticketmaster refused the API key",
    quotaExhausted: "Today’s requests to Ticketmaster are used up",
    dailyShareUsed: "Your share of today’s requests to Ticketmaster is used up",
    radiusIgnored: "Only the city itself was searched",
};

/** What to do about the warnings that a person can resolve with a Ticketmaster key. */
export const keyAdvice = {
    ticketmasterKeyMissing: "Concerts come from Ticketmaster, which needs your own API key. The key is free."
        + " Save it, then retry here.",
    ticketmasterKeyInvalid: "If you saved a key, replace or remove it. If you did not, the key is this Backline’s: add"
        + " your own, or tell the operator of this Backline.",
    dailyShareUsed: "This Backline’s own key allows each person a limited number of requests a day. Your own key is"
        + " free and has no such limit. Save one, then retry here, or retry after midnight UTC.",
};
