import Model
import Vault

/// What the setup says about a provider that people connect.
private struct SetupTexts: Sendable {
    var title: String
    /// What the connection is for.
    var invitation: String
    /// The field of the secret whose last characters are shown; `nil` for none.
    var shownField: String?
}

/// The texts of the setup about each provider.
extension Provider {
    private static let setups: [Provider: SetupTexts] = [
        .spotify: SetupTexts(
            title: "Connect Spotify",
            invitation: "Backline reads your library and playlists, and saves playlists for you."),
        .appleMusic: SetupTexts(
            title: "Connect Apple Music",
            invitation: "Backline reads your library with the keys of your Apple developer account.",
            shownField: SecretField.userToken),
        .gemini: SetupTexts(
            title: "Add your Gemini API key",
            invitation: "Backline makes playlists and suggestions with your own key from Google AI Studio.",
            shownField: SecretField.apiKey),
        .ticketmaster: SetupTexts(
            title: "Add your Ticketmaster API key and city",
            invitation: "Backline finds concerts with your own key, and marks those in your city.",
            shownField: SecretField.apiKey),
    ]

    private var setup: SetupTexts {
        Self.setups[self] ?? SetupTexts(title: displayName, invitation: "\(displayName) is not connected.")
    }

    var setupTitle: String { setup.title }

    /// The field of the secret whose last characters the setup shows; `nil` for none.
    var shownField: String? { setup.shownField }

    /// What the state means for the person, and what to do.
    func sentence(for state: ConnectionState) -> String {
        switch state {
        case .disconnected: setup.invitation
        case .authorizing: "Give your consent on \(displayName)'s page, or start again."
        case .connected: shownField == SecretField.apiKey ? "Your key works." : "\(displayName) is connected."
        case .degraded(let trouble, _): sentence(for: trouble)
        case .needsReconnect(let reason): sentence(for: reason)
        }
    }

    /// The invitation if the installation has the key that people otherwise need.
    var invitationWithoutKey: String { "Backline reads your library. Sign in with Apple to connect it." }

    private func sentence(for trouble: ConnectionState.Trouble) -> String {
        switch trouble {
        case .rateLimited:
            "\(displayName) asked for fewer requests. Backline continues by itself after a pause."
        case .quotaExhausted:
            "Today's requests to \(displayName) are used up. Backline continues by itself when it may send more."
        case .unavailable:
            "\(displayName) did not answer the last request. Backline tries again by itself."
        case .unreadable:
            "Backline could not read \(displayName)'s last answer. It tries again by itself."
        case .accountNotAllowed:
            "\(displayName) lets five people use this Backline's app, and your account is not among them. Use your own "
                + "app, or ask this Backline's operator to add your account."
        case .ownerPremiumMissing:
            "\(displayName) answers no requests from this Backline's app, because the app's owner has no Premium "
                + "subscription. Its operator has to correct that, or you can use your own app."
        case .forbidden:
            "\(displayName) refused the last request and gave no reason. Check your account there."
        case .accessRefused:
            "\(displayName) refused the last request. If this happens again, connect again."
        case .clientRefused where self == .appleMusic:
            "Apple does not accept this Backline's developer key. Its operator has to correct it; you do not need to "
                + "connect again."
        case .clientRefused:
            "\(displayName) does not accept this Backline's client id. Its operator has to correct it."
        case .secretsSealed: VaultTrouble.vaultUnavailable.sentence
        }
    }

    private func sentence(for reason: ConnectionState.ReconnectReason) -> String {
        switch reason {
        case .revoked:
            "\(displayName) no longer accepts the connection, most often because you withdrew your consent there. "
                + "Connect again."
        case .consentEnded:
            "Your consent at \(displayName) has ended. Connect again."
        case .tokenLost:
            "The connection to \(displayName) was lost when Backline renewed it. Connect again."
        case .clientChanged:
            "The app at \(displayName) has changed since you connected. Connect again."
        case .keyRefused where self == .appleMusic:
            "Apple no longer accepts your developer key. Check that it is enabled for MusicKit and was not revoked, and "
                + "enter the team id, the key id and the private key again."
        case .keyRefused:
            "\(displayName) no longer accepts the key that you saved. Enter another one."
        case .userTokenRefused:
            "\(displayName) no longer accepts your music user token, most often because it is older than six months "
                + "or your password has changed. Connect again."
        }
    }
}
