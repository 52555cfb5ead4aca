import Model

/// Why a part of a search's result may be missing or imprecise, and what to do.
package struct SearchWarning: Hashable, Sendable, Codable {
    /// `nil` when it concerns the whole search.
    package var artist: String?
    package var code: ConcertWarningCode
    package var message: String
    package var recovery: String

    /// - Parameters:
    ///   - resetsAt: when the quota or the share is renewed, for ``ConcertWarningCode/quotaExhausted`` and
    ///     ``ConcertWarningCode/dailyShareUsed``.
    package init(_ code: ConcertWarningCode, artist: String?, resetsAt: Timestamp? = nil) {
        self.artist = artist
        self.code = code
        message = code.message
        recovery = code.recovery(resetsAt: resetsAt)
    }

    /// Encodes `artist` as `null` when it is `nil`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(artist, forKey: .artist)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        try container.encode(recovery, forKey: .recovery)
    }
}

extension ConcertWarningCode {
    /// What happened, as a sentence for people.
    package var message: String {
        switch self {
        case .networkError: "Ticketmaster could not be reached."
        case .upstreamError: "Ticketmaster answered with an error."
        case .invalidResponse: "Ticketmaster's answer could not be read."
        case .rateLimited: "Ticketmaster asked for fewer requests."
        case .ticketmasterKeyMissing: "No Ticketmaster API key is set up."
        case .ticketmasterKeyInvalid: "Ticketmaster refused the API key."
        case .quotaExhausted: "The Ticketmaster API key has used up its requests for today."
        case .dailyShareUsed: "You have used up your share of today's requests with this Backline's Ticketmaster key."
        case .radiusIgnored:
            "The location of this city is not known, so only events in the city itself were searched for."
        }
    }

    /// What to do, as sentences for people.
    ///
    /// - Parameter resetsAt: when a quota or share is renewed; written in UTC.
    package func recovery(resetsAt: Timestamp?) -> String {
        switch self {
        case .networkError: "Check the server's internet connection, then retry the search."
        case .upstreamError: "Retry the search in a few minutes."
        case .invalidResponse: "Retry the search in a few minutes. If it happens again, report it."
        case .rateLimited: "Retry the search in a minute."
        case .ticketmasterKeyMissing:
            "Enter your own key, which is free, at /setup/ticketmaster, then retry the search. The operator of "
                + "this Backline can set one for everybody as ticketmaster.apiKeyFile."
        case .ticketmasterKeyInvalid:
            "If you saved a key at /setup/ticketmaster, replace or remove it there. Otherwise the refused key is not "
                + "yours: enter your own key there, or tell the operator of this Backline. Then retry the search."
        case .quotaExhausted:
            resetsAt.map { "The quota is renewed at \($0.description.prefix(19))Z. Retry the search then." }
                ?? "The quota is renewed within 24 hours. Retry the search in an hour."
        case .dailyShareUsed:
            "Enter your own key, which is free, at /setup/ticketmaster (PUT /v1/setup/ticketmaster), then retry "
                + "the search. "
                + (resetsAt.map { "Without one, retry it after \($0.description.prefix(19))Z." }
                    ?? "Without one, retry it after midnight UTC.")
        case .radiusIgnored: "Search again later, or name a larger city nearby."
        }
    }
}
