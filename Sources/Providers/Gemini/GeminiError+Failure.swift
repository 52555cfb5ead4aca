import Model
import Upstream

extension GeminiError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, until): (ProviderFailure.Kind, Timestamp?) =
            switch kind {
            case .keyInvalid, .keyExpired: (.keyRefused, nil)
            // Neither a word about the key nor trouble that passes.
            case .keyNotJudged: (.requestRefused, nil)
            case .keyRestricted: (.keyRestricted, nil)
            case .locationUnsupported: (.locationUnsupported, nil)
            // What Google asks to wait is believed of a minute's quota, and not of a day's.
            case .quotaOfDay: (.quotaExhausted, Self.nextDay(after: now))
            case .quota(let wait): (.rateLimited, now.advanced(by: wait))
            case .unreadable: (.unreadable, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil)
            case .upstreamError: (.requestRefused, nil)
            }
        return ProviderFailure(.gemini, kind, until: until, message: description, reason: reason)
    }
}
