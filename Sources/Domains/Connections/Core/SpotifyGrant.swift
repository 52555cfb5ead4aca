import JobStorage
import Model
import Storage
import Vault

/// The result of exchanging a code: the tokens, their account and their scopes.
struct SpotifyGrant: Sendable {
    /// How long a consent lasts: six months from the day it was given, whether tokens are refreshed or not (Spotify, 18
    /// June 2026). The shortest six months have 181 days.
    static let lifetime = Duration.seconds(180 * 86_400)

    var accessToken: Secret
    var refreshToken: Secret
    var details: Details

    /// Everything but the tokens.
    struct Details: Sendable, Codable {
        /// `nil` when Spotify did not name the account of the tokens.
        var account: SpotifyAccount?
        /// Separated by spaces.
        var scopes: String
        /// The client id that the scopes were granted to.
        var clientID: String
        /// When the attempt started, at most ten minutes before the consent, in microseconds since 1970.
        var beganAt: Int64
        /// When the access token expires, in microseconds since 1970.
        var tokenExpiresAt: Int64
    }

    /// Stores it as the person's connection, replacing an earlier one, and makes waiting jobs due.
    ///
    /// - Throws: ``VaultError``; what the database throws.
    func store(userID: String, sealedBy vault: CurrentVault, in transaction: WriteTransaction, now: Timestamp) throws {
        let provider = Provider.spotify
        for (field, secret) in [(TokenField.access, accessToken), (TokenField.refresh, refreshToken)] {
            try transaction.vault.putSecret(
                secret, as: SecretName(userID: userID, provider: provider, field: field), by: vault, now: now)
        }
        let actions = try transaction.connections.handle(.accepted, userID: userID, provider: provider, now: now) {
            record in
            if let account = details.account {
                account.write(to: &record)
            } else {
                (record.accountID, record.accountUserID, record.accountName) = (nil, nil, nil)
            }
            record.scopes = details.scopes
            record.clientID = details.clientID
            record.authorizedAt = now
            record.renewBy = min(Timestamp(microseconds: details.beganAt), now).advanced(by: Self.lifetime)
            record.tokenExpiresAt = Timestamp(microseconds: details.tokenExpiresAt)
            record.refresh = nil
        }
        if let account = details.account {
            try transaction.connections.deleteFormerAccount(account.id, userID: userID, provider: provider.rawValue)
        }
        if actions.contains(.resumeJobs) {
            try transaction.jobs.resumeJobs(userID: userID, awaiting: provider.rawValue, now: now)
        }
    }
}

extension ConnectionRecord {
    /// When the consent ends. A consent that is dated in the future, by a clock that was ahead, counts as given at
    /// `now`.
    func consentEnd(at now: Timestamp) -> Timestamp? {
        renewBy.map { min($0, now.advanced(by: SpotifyGrant.lifetime)) }
    }
}
