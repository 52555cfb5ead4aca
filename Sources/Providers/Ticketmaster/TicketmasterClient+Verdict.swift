import Foundation
import Model
import Upstream

extension TicketmasterClient {
    /// A spike arrest counts calls within one second.
    static let spikePause: Duration = .seconds(1)

    /// What an answer means for the call and its key. A 2xx is a success even when its body turns
    /// out unreadable: the upstream itself is well.
    ///
    /// - Parameter now: what a `Retry-After` that names a date is measured from.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        let wait = RetryAfter.duration(in: response, now: now)
        return switch response.status {
        case 200..<300: .success
        case 429 where response.isQuotaViolation:
            .pauseKey(until: quotaReset(response) ?? wait.map { now.advanced(by: $0) })
        case 429: .retryable(after: wait ?? spikePause)
        case 408, 500...599: .retryable(after: wait)
        default: .final
        }
    }

    /// When the key's calls of the day come back, as an answer tells it.
    package static func quotaReset(_ response: UpstreamResponse) -> Timestamp? {
        TicketmasterRateLimit(headers: response.headers).resetsAt
    }
}

extension UpstreamResponse {
    /// Whether a 401 is Ticketmaster's word about the key. What stands between answers 401, too: a proxy, a firewall.
    var isKeyRefusal: Bool {
        guard let code = decoded(FaultResponse.self)?.errorCode else { return false }
        return code.hasSuffix("oauth.v2.InvalidApiKey") || code.hasSuffix("oauth.v2.FailedToResolveAPIKey")
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
