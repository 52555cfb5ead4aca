import Model
import Upstream

/// Why Google gave no usable answer. No case contains a token, a code or a secret.
package enum GoogleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code was used before, has expired, or belongs to another sign-in.
    case codeRefused
    /// The client id, its secret, or the redirect URI differs from the registered one.
    case clientRefused
    case invalidResponse(reason: String)
    /// 429. The wait is Google's `Retry-After`, or else a minute.
    case rateLimited(after: Duration)
    case upstreamError(status: Int)

    package var description: String {
        switch self {
        case .codeRefused: "Google no longer accepts this sign-in. Start again."
        case .clientRefused:
            "Google refuses this installation's client. The operator has to compare google.clientIDs, "
                + "google.clientSecretFile and the redirect address with the client in Google's console."
        case .invalidResponse(let reason): "Google's answer could not be read: \(reason)."
        case .rateLimited: "Google asked for a pause after too many calls. Try again in a minute."
        case .upstreamError(let status): "Google answered with status \(status). Try again later."
        }
    }
}

extension GoogleError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, wait, reason): (ProviderFailure.Kind, Duration?, String?) =
            switch self {
            case .codeRefused: (.grantRefused, nil, "invalid_grant")
            case .clientRefused: (.clientRefused, nil, nil)
            case .invalidResponse: (.unreadable, nil, nil)
            case .rateLimited(let wait): (.rateLimited, wait, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil, nil)
            case .upstreamError: (.requestRefused, nil, nil)
            }
        return ProviderFailure(
            .google, kind, until: wait.map { now.advanced(by: $0) }, message: description, reason: reason)
    }
}
