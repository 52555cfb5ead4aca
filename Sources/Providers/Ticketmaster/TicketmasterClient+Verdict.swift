import Foundation
import Model
import Upstream

extension TicketmasterClient {
    /// What an answer means for its call and its key. A 2xx is a success even if its body cannot be read: the upstream
    /// works.
    ///
    /// - Parameter now: the moment from which a `Retry-After` with a date is measured.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        switch response.status {
        case 200..<300: .success
        case 429 where response.isQuotaViolation: .pauseKey(until: quotaEnd(response, now: now))
        case 429: .retryable(after: spikePause(response, now: now))
        case 408, 500...599: .retryable(after: RetryAfter.duration(in: response, now: now))
        default: .final
        }
    }

    /// Until when a used-up quota pauses the key; `nil` when the answer does not say.
    static func quotaEnd(_ response: UpstreamResponse, now: Timestamp) -> Timestamp? {
        quotaReset(response) ?? RetryAfter.duration(in: response, now: now).map { now.advanced(by: $0) }
    }

    /// How long a spike arrest (too many calls within a second) pauses the key.
    static func spikePause(_ response: UpstreamResponse, now: Timestamp) -> Duration {
        RetryAfter.pause(in: response, orElse: .seconds(1), now: now)
    }

    /// When the daily quota of the key resets; `nil` when the answer does not say.
    package static func quotaReset(_ response: UpstreamResponse) -> Timestamp? {
        TicketmasterRateLimit(headers: response.headers).resetsAt
    }
}

extension UpstreamResponse {
    /// Ticketmaster's code in a 401 that refuses the key; `nil` for any other 401, which may come from a proxy or
    /// firewall in between.
    var keyRefusal: String? {
        guard let code = decoded(FaultResponse.self)?.errorCode,
            code.hasSuffix("oauth.v2.InvalidApiKey") || code.hasSuffix("oauth.v2.FailedToResolveAPIKey")
        else { return nil }
        return code
    }

    /// Whether a 429 is about the daily quota. Only the error code is read, since the text repeats the key.
    var isQuotaViolation: Bool {
        decoded(FaultResponse.self)?.errorCode?.lowercased().contains("quotaviolation") == true
    }

    func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        try? JSONDecoder().decode(type, from: Data(body))
    }

    /// Whether the content type is JSON or missing.
    var mayBeJSON: Bool {
        guard let type = headers["content-type"]?.split(separator: ";").first.flatMap({ String($0).trimmed })
        else { return true }
        let name = type.lowercased()
        return name == "application/json" || name == "text/json" || name.hasSuffix("+json")
    }
}
