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

    package let id = UUIDv7.next()
    private let idToken: Secret
    private let nonce: String?

    /// - Parameter nonce: what the app sent to Google with its request; `nil` accepts any.
    package init(idToken: Secret, nonce: String?) {
        self.idToken = idToken
        self.nonce = nonce
    }

    /// Writes it down, sealed.
    ///
    /// - Throws: `VaultError`, `StorageError`.
    package func insert(
        sealedBy sealer: some SecretSealer, in transaction: WriteTransaction, now: Timestamp = .now()
    ) throws {
        var secret = try sealer.seal(idToken, as: GoogleSignInSecret.idToken(id), in: transaction)
        // Nobody has to know it again.
        secret.hint = ""
        try transaction.vault.insertCandidate(
            CandidateRecord(
                id: id, userID: nil, provider: CredentialProvider.google.rawValue, secret: secret,
                details: String(decoding: try JSONEncoder().encode(Details(nonce: nonce)), as: UTF8.self),
                createdAt: now, expiresAt: now.advanced(by: Self.lifetime)))
    }
}
