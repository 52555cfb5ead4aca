import Model
import Upstream

/// Why Ticketmaster gave no usable answer. No case carries text of a 401 or 429: it repeats the key.
package enum TicketmasterError: Error, Hashable, Sendable {
    /// No key is configured.
    case keyMissing
    /// Ticketmaster does not know the key: 401 with a fault that says so. Another 401 says nothing of the key.
    /// - Parameter code: Ticketmaster's own, as `oauth.v2.InvalidApiKey`.
    case keyInvalid(code: String)
    /// The key's calls of the day are used up. The time is Ticketmaster's own, when it said one.
    case quotaExhausted(resetsAt: Timestamp?)
    /// Too many calls within a second. The wait is the one that the answer asks for, else a second.
    case spikeArrest(after: Duration)
    /// A success that cannot be read. The reason holds none of the answer's text.
    case invalidResponse(reason: String)
    /// The call was refused (400), with Ticketmaster's code (as `DIS1035`) and words.
    case badRequest(code: String?, detail: String?)
    case notFound
    /// Any other status that is not a success.
    case upstreamError(status: Int)
}

extension TicketmasterError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .keyMissing:
            "No Ticketmaster API key is configured. Set ticketmaster.apiKey or BACKLINE_TICKETMASTER_API_KEY."
        case .keyInvalid:
            "Ticketmaster refused the API key. Check the key in your account at developer.ticketmaster.com."
        case .quotaExhausted(let resetsAt?):
            "The API key's Ticketmaster calls of the day are used up. They come back at \(resetsAt)."
        case .quotaExhausted(nil):
            "The API key's Ticketmaster calls of the day are used up. They come back within 24 hours."
        case .spikeArrest:
            "Ticketmaster refused a call because too many came within a second. It can be sent again in a moment."
        case .invalidResponse(let reason):
            "Ticketmaster's answer could not be read: \(reason)."
        case .badRequest(let code, let detail):
            "Ticketmaster refused the request"
                + (code.map { " (\($0))" } ?? "") + (detail.map { ": \($0)" } ?? ".")
        case .notFound:
            "Ticketmaster does not know this id."
        case .upstreamError(let status):
            "Ticketmaster answered with status \(status). It can be tried again later."
        }
    }
}

extension TicketmasterError {
    /// The longest text kept of a refusal, in characters.
    private static let detailLimit = 200

    /// What an answer that is not a success means.
    ///
    /// - Parameters:
    ///   - key: removed from the text of a refusal, should it stand there.
    ///   - now: what a `Retry-After` that names a date is measured from.
    init(_ response: UpstreamResponse, key: Secret, now: Timestamp = .now()) {
        switch response.status {
        case 400:
            let item = response.decoded(ErrorListResponse.self)?.errors.items.first
            self = .badRequest(
                code: item?.code.map { Self.presentable($0, key: key) },
                detail: item?.detail.map { Self.presentable($0, key: key) })
        case 401:
            self =
                response.keyRefusal.map { .keyInvalid(code: Self.presentable($0, key: key)) }
                ?? .upstreamError(status: 401)
        case 404: self = .notFound
        case 429:
            self =
                response.isQuotaViolation
                ? .quotaExhausted(resetsAt: TicketmasterClient.quotaEnd(response, now: now))
                : .spikeArrest(after: TicketmasterClient.spikePause(response, now: now))
        default: self = .upstreamError(status: response.status)
        }
    }

    private static func presentable(_ text: String, key: Secret) -> String {
        String(key.redacted(from: text).prefix(detailLimit).map { $0.isNewline ? " " : $0 })
    }
}

extension TicketmasterError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, until, reason): (ProviderFailure.Kind, Timestamp?, String?) =
            switch self {
            case .keyMissing: (.credentialMissing, nil, nil)
            case .keyInvalid(let code): (.keyRefused, nil, code)
            case .quotaExhausted(let resetsAt): (.quotaExhausted, resetsAt, "policies.ratelimit.QuotaViolation")
            case .spikeArrest(let wait): (.rateLimited, now.advanced(by: wait), nil)
            case .invalidResponse: (.unreadable, nil, nil)
            case .badRequest(let code, _): (.requestRefused, nil, code)
            case .notFound: (.requestRefused, nil, nil)
            // What stands between answers 401 and 403, too, which says nothing of the key.
            case .upstreamError(401), .upstreamError(403): (.forbidden, nil, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil, nil)
            case .upstreamError: (.requestRefused, nil, nil)
            }
        return ProviderFailure(.ticketmaster, kind, until: until, message: message, reason: reason)
    }

    /// For people, of whose own key it may be.
    private var message: String {
        guard case .keyInvalid = self else { return description }
        return "Ticketmaster does not know this key. Copy the consumer key again from developer.ticketmaster.com, "
            + "whole; a new one may take some minutes until it works."
    }
}
