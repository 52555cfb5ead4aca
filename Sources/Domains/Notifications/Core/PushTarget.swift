import Model
import NotificationSources
import Storage
import Vault

/// Where a person's notifications are pushed to, without its secrets.
package struct PushTarget: Sendable, Equatable {
    /// A UUID that the client has made.
    package let id: String
    package let channel: NotificationChannel
    /// The name of the push service or the ntfy server, with its port unless that is the one of https.
    package let host: String
    /// Recognizes the target without showing its address.
    package let fingerprint: String
    /// The session or token with which it ends; `nil` for one of a later version.
    package let credential: PushCredential?
    package let createdAt: Timestamp
    /// When it was last posted.
    package let confirmedAt: Timestamp
    /// When a push was last accepted.
    package let sentAt: Timestamp?
    /// When the service refused the last push; `nil` if it did not.
    package let refusedAt: Timestamp?
    private let pausedUntil: Timestamp?

    /// The most targets of a person.
    package static let capacity = 10
    /// How long a browser's subscription lasts that no page posts again. Some services accept pushes to ones that are
    /// gone.
    package static let lifetime = Duration.seconds(60 * 86_400)
    /// How long nothing is sent where a service refuses the credentials.
    package static let refusalPause = Duration.seconds(3_600)
    /// The longest pause for which a service can ask: one of somebody's own may ask for any time.
    package static let longestPause = Duration.seconds(86_400)

    static let columns: SQL = """
        push_targets.id, push_targets.channel, push_targets.host, push_targets.fingerprint, push_targets.credential,
        push_targets.created_at, push_targets.confirmed_at, push_targets.sent_at, push_targets.refused_at,
        push_targets.paused_until
        """

    /// - Returns: `nil` for one of a channel of a later version.
    init?(row: Row) throws {
        let channel: Int64 = try row["channel"]
        guard let known = NotificationChannel.allCases.first(where: { $0.number == channel }) else { return nil }
        id = try row["id"]
        self.channel = known
        host = try row["host"]
        fingerprint = try row["fingerprint"]
        credential = PushCredential(try row["credential"])
        createdAt = try row["created_at"]
        confirmedAt = try row["confirmed_at"]
        sentAt = try row["sent_at"]
        refusedAt = try row["refused_at"]
        pausedUntil = try row["paused_until"]
    }

    /// Until when nothing is sent to it; `nil` for a target that is not paused.
    func pause(at now: Timestamp) -> Timestamp? {
        // A later one is from a clock that was ahead.
        pausedUntil.flatMap { $0 > now && $0 <= now.advanced(by: Self.longestPause) ? $0 : nil }
    }

    /// The name of a target's secret in the vault.
    package static func secretName(id: String, userID: String) -> SecretName {
        SecretName(userID: userID, provider: .push, field: "target " + id)
    }
}

/// A target as a client posts it.
package struct NewPushTarget: Sendable {
    package let channel: NotificationChannel
    package let host: String
    package let fingerprint: String
    /// Its address, keys and tokens.
    package let secret: Secret

    package init(channel: NotificationChannel, host: String, fingerprint: String, secret: Secret) {
        (self.channel, self.host, self.fingerprint, self.secret) = (channel, host, fingerprint, secret)
    }
}
