import Contracts
import Crypto
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

    // MARK: Once

    /// By which it is known again: the SHA-256, in hexadecimal, of what its signature covers. The signature itself can
    /// be written in several ways.
    package var fingerprint: String {
        let signed = idToken.reveal().split(separator: ".", omittingEmptySubsequences: false).dropLast()
        return SHA256.hash(data: Data(signed.joined(separator: ".").utf8)).hexadecimal
    }

    /// How long it has to be known again: as long as it is accepted anywhere, whatever the clocks say.
    ///
    /// - Returns: an hour after its `exp`, within the next ten years; a day from now when it has none, which is
    ///   accepted nowhere.
    func knownUntil(now: Timestamp) -> Timestamp {
        let day = 86_400.0
        guard let expiry else { return now.advanced(by: .seconds(day)) }
        let seconds = expiry - Double(now.microseconds) / 1_000_000 + 3_600
        return now.advanced(by: .seconds(min(max(seconds, 3_600), 3_650 * day)))
    }

    private var expiry: Double? {
        struct Claims: Decodable {
            var exp: Double
        }
        let parts = idToken.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let standard = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding).flatMap { try? JSONDecoder().decode(Claims.self, from: $0).exp }
    }

    // MARK: Waiting

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
