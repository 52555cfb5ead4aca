import Foundation
import Model
import Storage
import Vault

/// A credential that a person entered and that is not verified yet. It is stored sealed for the worker that verifies
/// it.
package struct CredentialCandidate: Sendable {
    /// How long it is stored for its verification.
    package static let lifetime = Duration.seconds(120)

    package var id: String
    package var userID: String
    package var provider: Provider
    /// Keyed by the vault's field names (``SecretField``).
    package var secrets: [String: Secret]
    /// The fields that are not secret, by name (``SetupDetail``).
    package var details: [String: String]

    package init(
        userID: String, provider: Provider, secrets: [String: Secret], details: [String: String] = [:]
    ) {
        id = UUIDv7.next()
        self.userID = userID
        self.provider = provider
        self.secrets = secrets
        self.details = details
    }

    private var name: SecretName { Self.name(id: id, userID: userID, provider: provider) }

    private static func name(id: String, userID: String, provider: Provider) -> SecretName {
        SecretName(userID: userID, provider: provider, field: "candidate:\(id)")
    }

    /// Seals and stores it.
    ///
    /// - Throws: ``VaultError``, ``StorageError``.
    package func insert(sealedBy sealer: some SecretSealer, in transaction: WriteTransaction, now: Timestamp) throws {
        let document = try JSONEncoder().encode(secrets.mapValues { $0.reveal() })
        var secret = try sealer.seal(Secret(String(decoding: document, as: UTF8.self)), as: name, in: transaction)
        // The hint would be the end of the JSON document, not of a key.
        secret.hint = ""
        try transaction.vault.insertCandidate(
            CandidateRecord(
                id: id, userID: userID, provider: provider.rawValue, secret: secret,
                details: String(decoding: try JSONEncoder().encode(details), as: UTF8.self), createdAt: now,
                expiresAt: now.advanced(by: Self.lifetime)))
    }

    /// - Throws: ``VaultError``; `doesNotOpen` also for a record of another kind.
    package init(opening record: CandidateRecord, by vault: CurrentVault) throws(VaultError) {
        guard let userID = record.userID, let provider = Provider(rawValue: record.provider) else {
            throw .doesNotOpen
        }
        let document = try vault.open(
            record.secret, as: Self.name(id: record.id, userID: userID, provider: provider))
        let decoder = JSONDecoder()
        guard let secrets = try? decoder.decode([String: String].self, from: Data(document.reveal().utf8)),
            let details = try? decoder.decode([String: String].self, from: Data(record.details.utf8))
        else { throw .doesNotOpen }
        id = record.id
        self.userID = userID
        self.provider = provider
        self.secrets = secrets.mapValues { Secret($0) }
        self.details = details
    }
}

/// The fields of secrets in the vault.
package enum SecretField {
    package static let apiKey = "apiKey"
    package static let privateKey = "privateKey"
    package static let userToken = "userToken"
}
