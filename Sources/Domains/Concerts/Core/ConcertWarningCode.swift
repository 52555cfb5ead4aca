/// Why the results of a search are incomplete. The raw values are part of the API.
package enum ConcertWarningCode: String, Hashable, Sendable, CaseIterable, Codable {
    case networkError
    case upstreamError
    case invalidResponse
    case rateLimited
    case ticketmasterKeyMissing
    case ticketmasterKeyInvalid
    case quotaExhausted
    /// The person's share of the day's requests with the installation's key is used up.
    case dailyShareUsed
    /// A search around a place fell back to the city's name alone.
    case radiusIgnored
}
