import Model
import Upstream

extension AppleMusicError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, wait, reason): (ProviderFailure.Kind, Duration?, String?) =
            switch self {
            case .privateKeyUnreadable: (.privateKeyUnreadable, nil, nil)
            // The keys that sign developer tokens are each person's own.
            case .developerTokenRefused: (.keyRefused, nil, nil)
            case .userTokenRefused: (.userTokenRefused, nil, nil)
            case .subscriptionMissing: (.subscriptionMissing, nil, "40015")
            case .requestRefused(_, let code): (.requestRefused, nil, code)
            case .rateLimited(let wait): (.rateLimited, wait, nil)
            case .unreadable: (.unreadable, nil, nil)
            case .upstreamError: (.serverError, nil, nil)
            }
        return ProviderFailure(
            .appleMusic, kind, until: wait.map { now.advanced(by: $0) }, message: description, reason: reason)
    }
}
