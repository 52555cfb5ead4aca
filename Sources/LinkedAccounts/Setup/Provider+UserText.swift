import Model
import Vault

/// The texts about each provider that people read.
extension Provider {
    var setupTitle: String {
        switch self {
        case .spotify: "Connect Spotify"
        case .appleMusic: "Connect Apple Music"
        case .gemini: "Add your Gemini API key"
        case .ticketmaster: "Add your Ticketmaster API key and city"
        case .google: "Sign in with Google"
        }
    }

    /// The secret whose last characters are shown.
    var shownField: String? {
        switch self {
        case .gemini, .ticketmaster: SecretField.apiKey
        case .appleMusic: SecretField.userToken
        case .spotify, .google: nil
        }
    }

    func sentence(for state: ConnectionState) -> String {
        switch state {
        case .disconnected: invitation
        case .authorizing: "Go on where \(displayName) asks for your consent, or begin again."
        case .connected: shownField == SecretField.apiKey ? "Your key works." : "\(displayName) is connected."
        case .degraded(let trouble, _): sentence(for: trouble)
        case .needsReconnect(let reason): sentence(for: reason)
        }
    }

    private var invitation: String {
        switch self {
        case .spotify: "Backline reads your library and playlists, and saves playlists for you."
        case .appleMusic: "Backline reads your library with the keys of your Apple developer account."
        case .gemini: "Backline makes playlists and suggestions with a key of your own from Google AI Studio."
        case .ticketmaster: "Backline finds concerts with a key of your own, and marks those in your city."
        case .google: "Backline knows you by your Google account."
        }
    }

    private func sentence(for trouble: ConnectionState.Trouble) -> String {
        switch trouble {
        case .rateLimited: "\(displayName) asked for a pause. Backline goes on by itself."
        case .quotaExhausted: "What \(displayName) allows in a day is used up. Backline goes on by itself."
        case .unavailable: "\(displayName) did not answer the last time. Backline tries again by itself."
        case .unreadable: "\(displayName)'s last answer made no sense. Backline tries again by itself."
        case .accountNotAllowed:
            "Your \(displayName) account is not among those that this Backline may serve. Whoever runs it can add it."
        case .forbidden: "\(displayName) refused the last call without saying why."
        case .accessRefused: "\(displayName) refused the last call. If that goes on, connect again."
        case .clientRefused: "\(displayName) does not know this Backline. Whoever runs it has to mend that."
        case .secretsSealed: VaultTrouble.vaultUnavailable.sentence
        }
    }

    private func sentence(for reason: ConnectionState.ReconnectReason) -> String {
        switch reason {
        case .revoked: "\(displayName) ended the connection, most often because you asked it to. Connect again."
        case .consentEnded: "Your consent at \(displayName) has ended. Connect again."
        case .tokenLost: "The connection to \(displayName) was lost while it was renewed. Connect again."
        case .clientChanged:
            "This Backline has another client id at \(displayName) than when you connected. Connect again."
        case .keyRefused: "\(displayName) no longer takes the key that you saved. Enter another one."
        }
    }
}
