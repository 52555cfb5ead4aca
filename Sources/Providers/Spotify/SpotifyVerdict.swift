import Model
import Upstream

/// What Spotify's answers mean for the app, whose limit all people of an installation share.
package enum SpotifyVerdict {
    /// A 429 without a word of when to come back: half of the window that Spotify counts in.
    static let standardPause = Duration.seconds(15)

    /// - Parameter now: what times are measured from.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        switch response.status {
        case 200..<300: .success
        case 429 where response.isQuotaExceeded: .pauseKey(until: quotaReset(response, now: now))
        case 429: .retryable(after: pause(response, now: now))
        case 408, 500...599: .retryable(after: RetryAfter.duration(in: response, now: now))
        default: .final
        }
    }

    /// How long a 429 keeps all calls away.
    static func pause(_ response: UpstreamResponse, now: Timestamp) -> Duration {
        RetryAfter.pause(in: response, orElse: standardPause, now: now)
    }

    /// Until when a quota that is used up does.
    static func quotaReset(_ response: UpstreamResponse, now: Timestamp) -> Timestamp {
        RetryAfter.duration(in: response, now: now).map { now.advanced(by: max(.seconds(1), $0)) }
            ?? nextDay(after: now)
    }

    /// The quota is one of the day; midnight UTC is the first moment at which asking again makes sense.
    static func nextDay(after now: Timestamp) -> Timestamp {
        let day: Int64 = 86_400_000_000
        return Timestamp(microseconds: (now.microseconds / day + 1) * day)
    }
}
