import Foundation
import Model
import Upstream

/// Why Gemini gave no usable answer. Only Google's code is stored from the answer, since the text may repeat the key.
package struct GeminiError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case keyInvalid
        case keyExpired
        /// The endpoint does not accept this kind of key in this header, and has not verified the key.
        case keyNotChecked
        /// The key is valid, but may not be used for this call (403).
        case keyRestricted
        /// Gemini is not available in the project's country.
        case locationUnsupported
        /// The daily quota is used up.
        case quotaOfDay
        /// A quota with a shorter window is used up. The wait is the one that Google asks for, or else a minute.
        case quota(after: Duration)
        /// The model does not exist, or no longer does.
        case modelUnavailable
        /// A success whose body cannot be read.
        case unreadable
        case upstreamError(status: Int)
    }

    package var kind: Kind
    /// The reason in the answer's `ErrorInfo`, such as `API_KEY_INVALID`, or else its status, such as
    /// `RESOURCE_EXHAUSTED`; `nil` when it has neither.
    package var reason: String?

    package init(_ kind: Kind, reason: String? = nil) {
        self.kind = kind
        self.reason = reason
    }

    /// Translates an answer that is not a success. For a wrong key Google answers 400, not 401.
    ///
    /// - Parameter now: the moment from which waits are measured.
    init(_ response: UpstreamResponse, now: Timestamp = .now()) {
        let error = GoogleStatus(response)
        reason = error.code
        kind =
            switch response.status {
            case 400 where error.reasons.contains("API_KEY_INVALID"):
                error.message.lowercased().contains("expired") ? .keyExpired : .keyInvalid
            case 400 where error.status == "FAILED_PRECONDITION": .locationUnsupported
            case 401 where error.reasons.contains("ACCESS_TOKEN_TYPE_UNSUPPORTED"): .keyNotChecked
            case 401: .keyInvalid
            case 403: .keyRestricted
            case 404: .modelUnavailable
            case 429 where error.quota.isOfDay: .quotaOfDay
            case 429: .quota(after: Self.pause(response, error, now: now))
            default: .upstreamError(status: response.status)
            }
    }

    /// The wait for a 429 that does not state one: the shortest quotas count per minute.
    private static let standardPause = Duration.seconds(60)

    /// How long a 429 for a quota other than the daily one pauses the key.
    static func pause(_ response: UpstreamResponse, _ status: GoogleStatus, now: Timestamp) -> Duration {
        status.quota.delay.map { max(.seconds(1), $0) }
            ?? RetryAfter.pause(in: response, orElse: standardPause, now: now)
    }

    /// When daily quotas reset: at midnight US Pacific time, or an hour from now if this system does not know that time
    /// zone.
    static func nextDay(after now: Timestamp) -> Timestamp {
        midnight(after: now) ?? now.advanced(by: .seconds(3_600))
    }

    /// The next midnight US Pacific time; `nil` if this system does not know that time zone.
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
            "Google does not know this key. Copy the whole key again from Google AI Studio "
                + "(aistudio.google.com/apikey)."
        case .keyExpired:
            "This key has expired. Create a new one in Google AI Studio (aistudio.google.com/apikey)."
        case .keyNotChecked:
            "Google did not check this key: it does not accept keys of this kind the way Backline sends them. "
                + "Create another kind of key in Google AI Studio (aistudio.google.com/apikey)."
        case .keyRestricted:
            "Google knows this key, but it may not be used for Gemini: its restrictions forbid it, or the Gemini API "
                + "is not enabled in its project. Change that in the Google Cloud console, or use a key from AI Studio."
        case .locationUnsupported:
            "Google does not offer Gemini's free tier where this Backline runs. Enable billing for the key's project."
        case .quotaOfDay: "The key's daily Gemini quota is used up. Try again tomorrow."
        case .quota: "Gemini asked for a pause after too many calls. Try again in a minute."
        case .modelUnavailable:
            "Google no longer offers this model. Whoever runs this Backline can name others (ai.geminiModels)."
        case .unreadable: "Gemini's answer could not be read. Try again in a moment."
        case .upstreamError(let status): "Gemini answered with status \(status). Try again in a moment."
        }
    }
}

extension GeminiError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, until): (ProviderFailure.Kind, Timestamp?) =
            switch kind {
            case .keyInvalid, .keyExpired: (.keyRefused, nil)
            // It says nothing about the key, and a retry would not help.
            case .keyNotChecked: (.requestRefused, nil)
            case .keyRestricted: (.keyRestricted, nil)
            case .locationUnsupported: (.locationUnsupported, nil)
            // The wait that Google asks for is right for quotas per minute, but not for the daily one.
            case .quotaOfDay: (.quotaExhausted, Self.nextDay(after: now))
            case .quota(let wait): (.rateLimited, now.advanced(by: wait))
            case .modelUnavailable: (.requestRefused, nil)
            case .unreadable: (.unreadable, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil)
            case .upstreamError: (.requestRefused, nil)
            }
        return ProviderFailure(.gemini, kind, until: until, message: description, reason: reason)
    }
}
