import Contracts
import Foundation
import Model
import Storage
import Vault

/// An ID token that an app sent and nobody has verified yet. It travels to the worker sealed, in the database.
package struct GoogleIDTokenCandidate: Sendable {
    /// How long it may wait for its verdict.
    package static let lifetime = Duration.seconds(120)

    struct Details: Codable {
        var nonce: String?
    }

    package let record: CandidateRecord

    /// - Parameter nonce: what the app sent to Google with its request; `nil` accepts any.
    /// - Throws: `VaultError`.
    package init(idToken: Secret, nonce: String?, vault: CurrentVault, now: Timestamp = .now()) throws {
        let id = UUIDv7.next()
        var secret = try vault.seal(idToken, as: GoogleSignInSecret.idToken(id))
        // Nobody has to know it again.
        secret.hint = ""
        record = CandidateRecord(
            id: id, userID: nil, provider: CredentialProvider.google.rawValue, secret: secret,
            details: String(decoding: try JSONEncoder().encode(Details(nonce: nonce)), as: UTF8.self), createdAt: now,
            expiresAt: now.advanced(by: Self.lifetime))
    }
}
