import Foundation
import Model
import Storage
import Vault

/// The credentials for people's calls to Apple Music, and what the answers mean for their connections.
package struct AppleMusicCredentials: Sendable {
    package struct Credential: Sendable {
        package var userToken: Secret
        /// The person's own developer key; `nil` if they use the installation's.
        package var ownKey: DeveloperKey?
        /// Distinguishes this token from one that the person enters later.
        fileprivate var sealed: SealedSecret
    }

    package struct DeveloperKey: Sendable, Equatable {
        package var teamID: String
        package var keyID: String
        package var privateKey: Secret
    }

    private static let provider = Provider.appleMusic

    private let database: Database
    private let vault: CurrentVault
    private let onVaultTrouble: @Sendable (VaultError) -> Void

    /// - Parameter onVaultTrouble: called when the vault cannot open a secret, to inform the operator.
    package init(
        database: Database, vault: CurrentVault, onVaultTrouble: @escaping @Sendable (VaultError) -> Void
    ) {
        self.database = database
        self.vault = vault
        self.onVaultTrouble = onVaultTrouble
    }

    /// Reads and opens a person's token, and their own developer key if they have one.
    ///
    /// - Throws: ``ProviderFailure`` of the kind `connectionNeeded` without a usable connection, and `secretsSealed`;
    ///   what the database throws.
    package func credential(userID: String) async throws -> Credential {
        let provider = Self.provider.rawValue
        let (record, secrets) = try await database.read { reader in
            (
                try reader.connections.record(userID: userID, provider: provider),
                try reader.vault.sealedSecrets(userID: userID, provider: provider)
            )
        }
        guard let record, try record.connectionState(at: .now(), clientID: nil).isUsable,
            let sealed = secrets[SecretField.userToken]
        else { throw Self.connectionNeeded }
        let userToken = try open(sealed, field: SecretField.userToken, userID: userID)
        guard let sealedKey = secrets[SecretField.privateKey] else {
            return Credential(userToken: userToken, ownKey: nil, sealed: sealed)
        }
        let details = record.details.flatMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
        let key = DeveloperKey(
            teamID: details?[SetupDetail.teamID] ?? "", keyID: details?[SetupDetail.keyID] ?? "",
            privateKey: try open(sealedKey, field: SecretField.privateKey, userID: userID))
        return Credential(userToken: userToken, ownKey: key, sealed: sealed)
    }

    /// A text that changes with each token that a person enters, and reveals nothing of the token.
    ///
    /// - Throws: ``ProviderFailure`` of the kind `connectionNeeded` when they have entered none.
    package func mark(userID: String) async throws -> String {
        let provider = Self.provider.rawValue
        let record = try await database.read { try $0.connections.record(userID: userID, provider: provider) }
        guard let enteredAt = record?.authorizedAt else { throw Self.connectionNeeded }
        return "token-\(enteredAt.microseconds)"
    }

    /// Stores what a failed call means for the connection, unless the person has replaced the token in the meantime.
    package func failed(_ failure: ProviderFailure, with credential: Credential, userID: String) async throws {
        guard let event = failure.connectionEvent() else { return }
        try await database.write { transaction in
            let present = try transaction.vault.sealedSecret(
                userID: userID, provider: Self.provider.rawValue, field: SecretField.userToken)
            guard present == credential.sealed else { return }
            try transaction.connections.handle(event, userID: userID, provider: Self.provider, now: .now())
        }
    }

    /// Stores that a call succeeded, if an earlier one failed.
    package func answered(userID: String) async throws {
        let provider = Self.provider
        let record = try await database.read { try $0.connections.record(userID: userID, provider: provider.rawValue) }
        guard record?.state == ConnectionState.Name.degraded.rawValue else { return }
        try await database.write { transaction in
            try transaction.connections.handle(.answered, userID: userID, provider: provider, now: .now())
        }
    }

    private static let connectionNeeded = ProviderFailure(
        provider, .connectionNeeded, message: "\(provider.displayName) is not connected. Connect it in the setup.")

    private func open(_ sealed: SealedSecret, field: String, userID: String) throws -> Secret {
        do throws(VaultError) {
            return try vault.open(sealed, as: SecretName(userID: userID, provider: Self.provider, field: field))
        } catch {
            onVaultTrouble(error)
            throw ProviderFailure(error, of: Self.provider)
        }
    }
}
