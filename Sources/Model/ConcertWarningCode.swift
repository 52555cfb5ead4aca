/// Why a search knows less than it should. The raw values are part of the API.
package enum ConcertWarningCode: String, Hashable, Sendable, CaseIterable, Codable {
    case networkError
    case upstreamError
    case invalidResponse
    case rateLimited
    case ticketmasterKeyMissing
    case ticketmasterKeyInvalid
    case quotaExhausted
    /// A search around a place fell back to the city's name alone.
    case radiusIgnored
}
