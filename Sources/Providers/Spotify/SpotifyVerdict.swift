import Model
import Upstream

/// The effect of Spotify's answers on the app's key. All people of an installation share the key's limit.
package enum SpotifyVerdict {
    /// The pause after a 429 without `Retry-After`: half of the window in which Spotify counts requests.
    static let standardPause = Duration.seconds(15)

    /// - Parameter now: the present time, from which waits are measured.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        switch response.status {
        case 200..<300: .success
        case 429 where response.isQuotaExceeded: .pauseKey(until: quotaReset(response, now: now))
        case 429: .retryable(after: pause(response, now: now))
        case 408, 500...599: .retryable(after: RetryAfter.duration(in: response, now: now))
        default: .final
        }
    }

    /// How long a 429 pauses all calls.
    static func pause(_ response: UpstreamResponse, now: Timestamp) -> Duration {
        RetryAfter.pause(in: response, orElse: standardPause, now: now)
    }

    /// When an exceeded quota resets.
    static func quotaReset(_ response: UpstreamResponse, now: Timestamp) -> Timestamp {
        RetryAfter.duration(in: response, now: now).map { now.advanced(by: max(.seconds(1), $0)) }
            ?? nextDay(after: now)
    }

    /// The quota is a daily one: calls are tried again at midnight UTC.
    static func nextDay(after now: Timestamp) -> Timestamp {
        let day: Int64 = 86_400_000_000
        return Timestamp(microseconds: (now.microseconds / day + 1) * day)
    }
}
