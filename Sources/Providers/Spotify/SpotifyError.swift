import Model
import Upstream

/// Why Spotify gave no usable answer. Only the error code is stored from a token endpoint's answer.
package enum SpotifyError: Error, Sendable, Hashable {
    // The accounts service.

    /// `invalid_grant`: the code or refresh token has expired, or was already revoked or used.
    case grantRefused
    /// `invalid_client`: the installation's client id is wrong.
    case clientRefused
    /// Another error of the token endpoint, such as `invalid_request`: a bug in Backline.
    case tokenRequestRefused(code: String)

    // The Web API.

    /// 401.
    case accessTokenRefused
    /// 403: the call needs a scope that was not granted.
    case scopeMissing
    /// 403: the app's owner has not added the account in the dashboard.
    case accountNotAllowed
    /// 403: the app's owner has no Premium subscription, without which an app in development mode gets no answers.
    case ownerPremiumMissing
    /// Any other 403, with Spotify's own code if there is one, such as `PREMIUM_REQUIRED`.
    case forbidden(reason: String?)
    /// Any other 4xx, with Spotify's own code if there is one, such as `NO_ACTIVE_DEVICE`.
    case requestRefused(status: Int, reason: String?)

    // Both.

    /// 429. The wait is Spotify's `Retry-After`, or else ``SpotifyVerdict/standardPause``.
    case rateLimited(after: Duration)
    /// 429 with the reason `QUOTA_EXCEEDED`. The wait is Spotify's `Retry-After`, or else until midnight UTC.
    case quotaExhausted(after: Duration)
    case serverError(status: Int)
    /// An answer of an unknown form. The reason contains none of its text.
    case invalidResponse(reason: String)
}

extension SpotifyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .grantRefused:
            "Spotify no longer accepts this connection. Connect Spotify again."
        case .clientRefused:
            "Spotify refuses the app's client id. Its owner has to check it against the dashboard at "
                + "developer.spotify.com: spotify.clientID, or the id of your own app in the setup."
        case .tokenRequestRefused(let code):
            "Spotify refuses Backline's request for a token (\(code)). This is a bug in Backline: please report it."
        case .accessTokenRefused:
            "Spotify refuses the access token."
        case .scopeMissing:
            "Spotify requires a permission for this that was not given. Connect Spotify again to give it."
        case .accountNotAllowed:
            "Spotify lets five people use an app in development mode, and your account is not among those of this "
                + "app. Enter the client id of your own Spotify app in the setup, or ask the app's owner to add your "
                + "account in the dashboard at developer.spotify.com."
        case .ownerPremiumMissing:
            "Spotify answers no requests from this app, because the app's owner has no active Premium subscription. "
                + "When the subscription changes, it can take Spotify a few hours to allow requests again."
        case .forbidden(nil):
            "Spotify refuses this and does not say why."
        case .forbidden(let reason?):
            "Spotify refuses this (\(reason))."
        case .requestRefused(let status, let reason):
            "Spotify refuses the request (status \(status)\(reason.map { ", \($0)" } ?? ""))."
        case .rateLimited:
            "Spotify asked for a pause after too many requests from this installation. Try again in a minute."
        case .quotaExhausted:
            "This installation has used up its Spotify calls for today. Try again tomorrow."
        case .serverError(let status):
            "Spotify answered with status \(status). Try again in a moment."
        case .invalidResponse(let reason):
            "Spotify's answer could not be read: \(reason)."
        }
    }
}

extension SpotifyError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, wait, reason): (ProviderFailure.Kind, Duration?, String?) =
            switch self {
            case .grantRefused: (.grantRefused, nil, "invalid_grant")
            case .clientRefused: (.clientRefused, nil, "invalid_client")
            case .tokenRequestRefused(let code): (.tokenRequestRefused, nil, code)
            case .accessTokenRefused: (.accessTokenRefused, nil, nil)
            case .scopeMissing: (.scopeMissing, nil, nil)
            case .accountNotAllowed: (.accountNotAllowed, nil, nil)
            case .ownerPremiumMissing: (.ownerPremiumMissing, nil, nil)
            case .forbidden(let reason): (.forbidden, nil, reason)
            case .requestRefused(_, let reason): (.requestRefused, nil, reason)
            case .rateLimited(let wait): (.rateLimited, wait, nil)
            case .quotaExhausted(let wait): (.quotaExhausted, wait, "QUOTA_EXCEEDED")
            case .serverError: (.serverError, nil, nil)
            case .invalidResponse: (.unreadable, nil, nil)
            }
        return ProviderFailure(
            .spotify, kind, until: wait.map { now.advanced(by: $0) }, message: description, reason: reason)
    }
}
