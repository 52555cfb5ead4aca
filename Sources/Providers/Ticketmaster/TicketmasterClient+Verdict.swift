import Foundation
import Model
import Upstream

extension TicketmasterClient {
    /// What an answer means for the call and its key. A 2xx is a success even when its body turns
    /// out unreadable: the upstream itself is well.
    ///
    /// - Parameter now: what a `Retry-After` that names a date is measured from.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        switch response.status {
        case 200..<300: .success
        case 429 where response.isQuotaViolation: .pauseKey(until: quotaEnd(response, now: now))
        case 429: .retryable(after: spikePause(response, now: now))
        case 408, 500...599: .retryable(after: RetryAfter.duration(in: response, now: now))
        default: .final
        }
    }

    /// Until when a quota that is used up keeps all calls with the key away; `nil` when the answer does not say.
    static func quotaEnd(_ response: UpstreamResponse, now: Timestamp) -> Timestamp? {
        quotaReset(response) ?? RetryAfter.duration(in: response, now: now).map { now.advanced(by: $0) }
    }

    /// How long a spike arrest does, which counts calls within one second.
    static func spikePause(_ response: UpstreamResponse, now: Timestamp) -> Duration {
        RetryAfter.pause(in: response, orElse: .seconds(1), now: now)
    }

    /// When the key's calls of the day come back, as an answer tells it.
    package static func quotaReset(_ response: UpstreamResponse) -> Timestamp? {
        TicketmasterRateLimit(headers: response.headers).resetsAt
    }
}

extension UpstreamResponse {
    /// Ticketmaster's code of a 401 that is its word about the key; `nil` for another, since what stands between
    /// answers 401, too: a proxy, a firewall.
    var keyRefusal: String? {
        guard let code = decoded(FaultResponse.self)?.errorCode,
            code.hasSuffix("oauth.v2.InvalidApiKey") || code.hasSuffix("oauth.v2.FailedToResolveAPIKey")
        else { return nil }
        return code
    }

    /// Whether a 429 speaks of the day's quota. Only the error code is read; the text repeats the key.
    var isQuotaViolation: Bool {
        decoded(FaultResponse.self)?.errorCode?.lowercased().contains("quotaviolation") == true
    }

    func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        try? JSONDecoder().decode(type, from: Data(body))
    }

    /// Whether the body calls itself JSON, or does not say what it is.
    var mayBeJSON: Bool {
        guard let type = headers["content-type"]?.split(separator: ";").first.flatMap({ String($0).trimmed })
        else { return true }
        let name = type.lowercased()
        return name == "application/json" || name == "text/json" || name.hasSuffix("+json")
    }
}
