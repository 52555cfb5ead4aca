import Foundation
import Model
import Upstream

/// Why Gemini gave no usable answer. It carries no text of the answer, which may repeat the key, but Google's own code.
package struct GeminiError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case keyInvalid
        case keyExpired
        /// The endpoint does not take this kind of key the way it was sent, and has not looked whether it is good.
        case keyNotJudged
        /// The key is good, and may not be used for this (403).
        case keyRestricted
        /// The project's country is not served.
        case locationUnsupported
        /// The allowance of the day is used up.
        case quotaOfDay
        /// A quota of a shorter time. The wait is the one that Google asks for, else as long as Backline keeps calls
        /// with the key away by itself.
        case quota(after: Duration)
        /// A success that cannot be read.
        case unreadable
        case upstreamError(status: Int)
    }

    package var kind: Kind
    /// The reason of its `ErrorInfo`, such as `API_KEY_INVALID`, else its status, such as `RESOURCE_EXHAUSTED`; `nil`
    /// when the answer has neither.
    package var reason: String?

    package init(_ kind: Kind, reason: String? = nil) {
        self.kind = kind
        self.reason = reason
    }

    /// What an answer that is not a success means: Google says 400, not 401, of a wrong key.
    ///
    /// - Parameter now: what times are measured from.
    init(_ response: UpstreamResponse, now: Timestamp = .now()) {
        let error = GoogleStatus(response)
        reason = error.code
        kind =
            switch response.status {
            case 400 where error.reasons.contains("API_KEY_INVALID"):
                error.message.lowercased().contains("expired") ? .keyExpired : .keyInvalid
            case 400 where error.status == "FAILED_PRECONDITION": .locationUnsupported
            case 401 where error.reasons.contains("ACCESS_TOKEN_TYPE_UNSUPPORTED"): .keyNotJudged
            case 401: .keyInvalid
            case 403: .keyRestricted
            case 429 where error.quota.isOfDay: .quotaOfDay
            case 429: .quota(after: Self.pause(response, error, now: now))
            default: .upstreamError(status: response.status)
            }
    }

    /// A 429 without a word of when to come back: quotas are counted by the minute.
    private static let standardPause = Duration.seconds(60)

    /// How long a 429 that is not of the day keeps all calls with the key away.
    static func pause(_ response: UpstreamResponse, _ status: GoogleStatus, now: Timestamp) -> Duration {
        status.quota.delay.map { max(.seconds(1), $0) }
            ?? RetryAfter.pause(in: response, orElse: standardPause, now: now)
    }

    /// Quotas of the day start anew at midnight of the US Pacific time; an hour from now where this system does not
    /// know that time zone.
    static func nextDay(after now: Timestamp) -> Timestamp {
        midnight(after: now) ?? now.advanced(by: .seconds(3_600))
    }

    /// The next midnight of the US Pacific time; `nil` where this system does not know that time zone.
    static func midnight(after now: Timestamp) -> Timestamp? {
        var calendar = Calendar(identifier: .gregorian)
        let today = Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000)
        guard let zone = TimeZone(identifier: "America/Los_Angeles") else { return nil }
        calendar.timeZone = zone
        guard let day = calendar.date(byAdding: .day, value: 1, to: calendar.startOfDay(for: today)) else { return nil }
        return Timestamp(microseconds: Int64(calendar.startOfDay(for: day).timeIntervalSince1970) * 1_000_000)
    }
}

extension GeminiError: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .keyInvalid:
            "Google does not know this key. Copy it again from Google AI Studio (aistudio.google.com/apikey), whole."
        case .keyExpired:
            "This key has expired. Make a new one in Google AI Studio (aistudio.google.com/apikey)."
        case .keyNotJudged:
            "Google did not say whether this key is good: it does not take keys of this kind the way Backline sends "
                + "them. Make a key of another kind in Google AI Studio (aistudio.google.com/apikey)."
        case .keyRestricted:
            "Google knows this key, but it may not be used for Gemini: its restrictions forbid that, or the Gemini API is "
                + "not enabled in its project. Change that in the Google Cloud console, or make a key in AI Studio."
        case .locationUnsupported:
            "Google does not offer Gemini's free tier where this Backline runs. Enable billing for the key's project."
        case .quotaOfDay: "The key's Gemini calls of the day are used up. Try again tomorrow."
        case .quota: "Gemini asked for a pause, because of too many calls. Try again in a minute."
        case .unreadable: "Gemini's answer could not be read. Try again in a moment."
        case .upstreamError(let status): "Gemini answered with status \(status). Try again in a moment."
        }
    }
}
