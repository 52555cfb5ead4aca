import Model
import Upstream

/// What Spotify's answers mean for the app, whose limit all people of an installation share.
package enum SpotifyVerdict {
    /// A 429 without a word of when to come back: half of the window that Spotify counts in.
    static let standardPause = Duration.seconds(15)

    /// - Parameter now: what times are measured from.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        let wait = RetryAfter.duration(in: response, now: now)
        return switch response.status {
        case 200..<300: .success
        case 429 where response.isQuotaExceeded:
            .pauseKey(until: wait.map { now.advanced(by: $0) } ?? nextDay(after: now))
        case 429: .retryable(after: wait ?? standardPause)
        case 408, 500...599: .retryable(after: wait)
        default: .final
        }
    }

    /// The quota is one of the day; midnight UTC is the first moment at which asking again makes sense.
    static func nextDay(after now: Timestamp) -> Timestamp {
        let day: Int64 = 86_400_000_000
        return Timestamp(microseconds: (now.microseconds / day + 1) * day)
    }
}
