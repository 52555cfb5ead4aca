import Foundation
import Model
import Upstream

extension GeminiError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, reason): (ProviderFailure.Kind, String?) =
            switch self {
            case .keyInvalid, .keyExpired: (.keyRefused, "API_KEY_INVALID")
            // Neither a word about the key nor trouble that passes.
            case .keyNotJudged: (.requestRefused, "ACCESS_TOKEN_TYPE_UNSUPPORTED")
            case .keyRestricted: (.keyRestricted, "PERMISSION_DENIED")
            case .locationUnsupported: (.locationUnsupported, "FAILED_PRECONDITION")
            case .quotaExceeded(let isOfDay, _):
                (isOfDay ? .quotaExhausted : .rateLimited, "RESOURCE_EXHAUSTED")
            case .unreadable: (.unreadable, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil)
            case .upstreamError: (.requestRefused, nil)
            }
        return ProviderFailure(.gemini, kind, until: end(of: now), message: description, reason: reason)
    }

    /// Until when the quota is used up. What Google asks to wait is believed of a minute's, and not of a day's.
    private func end(of now: Timestamp) -> Timestamp? {
        guard case .quotaExceeded(let isOfDay, let wait) = self else { return nil }
        return isOfDay ? Self.nextDay(after: now) : wait.map { now.advanced(by: $0) }
    }

    /// Quotas of the day start anew at midnight of the US Pacific time; an hour from now where this system does not
    /// know that time zone.
    static func nextDay(after now: Timestamp) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        let today = Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000)
        guard let zone = TimeZone(identifier: "America/Los_Angeles") else { return now.advanced(by: .seconds(3_600)) }
        calendar.timeZone = zone
        guard let day = calendar.date(byAdding: .day, value: 1, to: calendar.startOfDay(for: today)) else {
            return now.advanced(by: .seconds(3_600))
        }
        return Timestamp(microseconds: Int64(calendar.startOfDay(for: day).timeIntervalSince1970) * 1_000_000)
    }
}
