import Contracts
import Model
import Storage

/// Connecting Spotify as a step of the checklist.
package struct SpotifyStep: Sendable, Equatable {
    package enum State: String, Sendable {
        case incomplete, complete
        /// It was complete and works no more.
        case needsAttention
    }

    /// How long before its end a consent should be renewed.
    package static let renewalNotice = Duration.seconds(14 * 86_400)

    package var state: State
    /// A sentence for people.
    package var detail: String
    /// The name of the connected account.
    package var account: String?
    package var connectedAt: Timestamp?
    /// By when it has to be renewed.
    package var expiresAt: Timestamp?
    package var scopes: [String]?
    package var recovery: Recovery?
    /// The connection's reason or trouble, or `renewalDue`.
    package var reason: String?

    /// - Parameter record: `nil` when Spotify was never connected.
    /// - Throws: ``UnknownConnectionState``.
    package init(_ record: ConnectionRecord?, now: Timestamp) throws(UnknownConnectionState) {
        let connection = try record?.connectionState(at: now) ?? .disconnected
        let isDue = record?.renewBy.map { $0 <= now.advanced(by: Self.renewalNotice) } == true
        state =
            switch connection {
            case .connected, .degraded: .complete
            case .needsReconnect: .needsAttention
            case .disconnected, .authorizing: .incomplete
            }
        detail = connection.spotifyDetail(isRenewalDue: isDue)
        recovery = connection.recovery
        switch connection {
        case .degraded(let trouble, _): reason = trouble.rawValue
        case .needsReconnect(let why): reason = why.rawValue
        case .disconnected, .authorizing, .connected: break
        }
        if connection.isUsable, isDue { (recovery, reason) = (.reconnect, "renewalDue") }
        guard state != .incomplete, let record else { return }
        account = record.accountName
        connectedAt = record.authorizedAt
        expiresAt = record.renewBy
        scopes = record.scopes.map { $0.split(separator: " ").map(String.init) }
    }
}

extension ConnectionState {
    fileprivate func spotifyDetail(isRenewalDue: Bool) -> String {
        switch self {
        case .disconnected: "Spotify is not connected."
        case .authorizing: "Spotify is asking for your permission. Finish there, or begin again here."
        case .connected where isRenewalDue, .degraded where isRenewalDue:
            "Spotify is connected. Its permission ends soon: connect it again to renew it."
        case .connected: "Spotify is connected."
        case .degraded(let trouble, _): "Spotify is connected. \(trouble.spotifyDetail)"
        case .needsReconnect(let reason): "\(reason.spotifyDetail) Connect Spotify again."
        }
    }
}

extension ConnectionState.Trouble {
    fileprivate var spotifyDetail: String {
        switch self {
        case .rateLimited: "It asked for a pause, since too many requests came from this installation."
        case .quotaExhausted: "This installation's calls of the day are used up."
        case .unavailable: "It could not be reached just now, or had trouble of its own."
        case .unreadable: "Its last answer could not be read."
        case .accountNotAllowed:
            "But it lets only accounts in that the owner of this installation's app has entered in Spotify's dashboard. "
                + "Ask whoever runs this installation to add yours."
        case .forbidden: "It refused the last request, and did not say why."
        case .accessRefused: "It refused a token that it had just given."
        case .clientRefused:
            "But it refuses this installation's client id. Whoever runs this installation has to mend spotify.clientID."
        case .secretsSealed:
            "But its tokens cannot be opened, since the vault's key is missing. Whoever runs this installation has to put "
                + "it back."
        }
    }
}

extension ConnectionState.ReconnectReason {
    fileprivate var spotifyDetail: String {
        switch self {
        case .revoked: "Spotify says that the permission was withdrawn."
        case .consentEnded: "Spotify's permission ended, as it does after six months."
        case .tokenLost: "A renewed token was lost on its way, and Spotify takes the one before it no more."
        case .keyRefused: "Spotify refuses what it was given."
        }
    }
}
