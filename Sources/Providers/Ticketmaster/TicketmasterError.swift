import Model
import Upstream

/// Why Ticketmaster gave no usable answer. No case contains text of a 401 or 429, which repeats the key.
package enum TicketmasterError: Error, Hashable, Sendable {
    /// No key is configured.
    case keyMissing
    /// Ticketmaster does not know the key: a 401 with a fault that says so. Any other 401 says nothing about the key.
    ///
    /// - Parameter code: Ticketmaster's code, such as `oauth.v2.InvalidApiKey`.
    case keyInvalid(code: String)
    /// The key's daily quota is used up. The time is Ticketmaster's, if it reported one.
    case quotaExhausted(resetsAt: Timestamp?)
    /// Too many calls within a second. The wait is the one that the answer asks for, or else a second.
    case spikeArrest(after: Duration)
    /// A success whose body cannot be read. The reason contains no text of the answer.
    case invalidResponse(reason: String)
    /// The call was refused (400), with Ticketmaster's code (such as `DIS1035`) and text.
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
            "The API key's daily Ticketmaster quota is used up. It resets at \(resetsAt)."
        case .quotaExhausted(nil):
            "The API key's daily Ticketmaster quota is used up. It resets within 24 hours."
        case .spikeArrest:
            "Ticketmaster refused a call because there were too many within a second. Try again in a moment."
        case .invalidResponse(let reason):
            "Ticketmaster's answer could not be read: \(reason)."
        case .badRequest(let code, let detail):
            "Ticketmaster refused the request"
                + (code.map { " (\($0))" } ?? "") + (detail.map { ": \($0)" } ?? ".")
        case .notFound:
            "Ticketmaster does not know this id."
        case .upstreamError(let status):
            "Ticketmaster answered with status \(status). Try again later."
        }
    }
}

extension TicketmasterError {
    /// The most characters stored of a refusal's text.
    private static let detailLimit = 200

    /// Translates an answer that is not a success.
    ///
    /// - Parameters:
    ///   - key: redacted from the text of a refusal.
    ///   - now: the moment from which a `Retry-After` with a date is measured.
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
            // These may come from a proxy or firewall in between, and say nothing about the key.
            case .upstreamError(401), .upstreamError(403): (.forbidden, nil, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil, nil)
            case .upstreamError: (.requestRefused, nil, nil)
            }
        return ProviderFailure(.ticketmaster, kind, until: until, message: message, reason: reason)
    }

    /// The text for people, whose own key it may be.
    private var message: String {
        guard case .keyInvalid = self else { return description }
        return "Ticketmaster does not know this key. Copy the whole consumer key again from "
            + "developer.ticketmaster.com; it may take a few minutes until a new key works."
    }
}
