import Crypto
import Foundation
import Model
import Platform
import Storage
import Vault

/// An ID token that an app sent and that is not verified yet. It is stored sealed for the worker that verifies it.
package struct GoogleIDTokenCandidate: Sendable {
    /// How long it is kept for its verification.
    package static let lifetime = Duration.seconds(120)

    struct Details: Codable {
        var nonce: String?
    }

    package let id = UUIDv7.next()
    private let idToken: Secret
    private let nonce: String?

    /// - Parameter nonce: the nonce that the app sent to Google; `nil` accepts any.
    package init(idToken: Secret, nonce: String?) {
        self.idToken = idToken
        self.nonce = nonce
    }

    // MARK: Accepted once

    /// The SHA-256, in hexadecimal, of the part that the signature covers. It identifies the token: the signature
    /// itself can be written in several ways.
    package var fingerprint: String {
        let signed = idToken.reveal().split(separator: ".", omittingEmptySubsequences: false).dropLast()
        return SHA256.hash(data: Data(signed.joined(separator: ".").utf8)).hexadecimal
    }

    /// How long its use has to be remembered: longer than any verifier accepts it, clock differences included.
    ///
    /// - Returns: an hour after its `exp`, but one hour to ten years from now; a day from now for a token without
    ///   `exp`, which no verifier accepts.
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

    // MARK: Stored

    /// The secret's name has no user, since nobody is signed in yet.
    static func secretName(_ id: String) -> SecretName {
        SecretName(userID: "", provider: .google, field: "idToken \(id)")
    }

    /// Stores it, sealed.
    ///
    /// - Throws: `VaultError`, `StorageError`.
    package func insert(
        sealedBy sealer: some SecretSealer, in transaction: WriteTransaction, now: Timestamp = .now()
    ) throws {
        var secret = try sealer.seal(idToken, as: Self.secretName(id), in: transaction)
        // Nobody is shown a hint of it.
        secret.hint = ""
        try transaction.vault.insertCandidate(
            CandidateRecord(
                id: id, userID: nil, provider: Provider.google.rawValue, secret: secret,
                details: String(decoding: try JSONEncoder().encode(Details(nonce: nonce)), as: UTF8.self),
                createdAt: now, expiresAt: now.advanced(by: Self.lifetime)))
    }
}
