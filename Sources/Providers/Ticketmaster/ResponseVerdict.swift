import Foundation
import Model
import Upstream

/// What the transport does about an answer, before anybody reads it.
package enum ResponseVerdict: Hashable, Sendable {
    /// A 2xx, even one whose body turns out unreadable: the upstream itself is well.
    case success
    /// Trouble that may pass; not before that time when the upstream named one.
    case retryable(after: Duration?)
    /// No call with this key has a chance before then; `nil` when the upstream did not say.
    case pauseKey(until: Timestamp?)
    /// Sending it again would bring the same answer.
    case final
}

extension TicketmasterClient {
    /// A spike arrest counts calls within one second.
    private static let spikePause: Duration = .seconds(1)

    /// - Parameter now: what a `Retry-After` that names a date is measured from.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        let wait = response.headers["retry-after"].flatMap { retryAfter($0, now: now) }
        return switch response.status {
        case 200..<300: .success
        case 429 where response.isQuotaViolation:
            .pauseKey(
                until: TicketmasterRateLimit(headers: response.headers).resetsAt ?? wait.map { now.advanced(by: $0) })
        case 429: .retryable(after: wait ?? spikePause)
        case 408, 500...599: .retryable(after: wait)
        default: .final
        }
    }

    /// Seconds, or an HTTP date (RFC 9110, section 10.2.3); never negative.
    private static func retryAfter(_ value: String, now: Timestamp) -> Duration? {
        if let seconds = value.trimmed.flatMap({ Int64($0) }) {
            return (0...31_536_000).contains(seconds) ? .seconds(seconds) : nil
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = formatter.date(from: value) else { return nil }
        let moment = Timestamp(microseconds: Int64(date.timeIntervalSince1970) * 1_000_000)
        return max(.zero, now.duration(to: moment))
    }
}

extension UpstreamResponse {
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
