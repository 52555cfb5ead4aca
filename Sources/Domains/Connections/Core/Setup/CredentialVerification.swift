import Contracts
import DomainEvents
import Foundation
import JobStorage
import Model
import Storage
import Vault

/// Verifies candidates with a real call to the provider, and stores those that work as their owners' credentials.
package struct CredentialVerification: Sendable {
    /// Makes the call that verifies a candidate. Returns the provider's name of the account, if it sends one; throws
    /// ``ProviderFailure`` when the candidate does not work or cannot be verified.
    package typealias Ask = @Sendable (CredentialCandidate) async throws -> String?

    /// The result, and the rows to write with it.
    package struct Outcome: Sendable {
        package var result: VerificationResult
        /// Returns the event to publish once the candidate has become the credential; `nil` if it was withdrawn in the
        /// meantime.
        package var write: @Sendable (WriteTransaction) throws -> AccountConnected?
    }

    /// Stores a person's home city, which is part of their account.
    package typealias SetHomeCity =
        @Sendable (_ city: String, _ userID: String, _ now: Timestamp, _ transaction: WriteTransaction) throws -> Void

    private let database: Database
    private let vault: CurrentVault
    private let setHomeCity: SetHomeCity

    package init(database: Database, vault: CurrentVault, setHomeCity: @escaping SetHomeCity) {
        self.database = database
        self.vault = vault
        self.setHomeCity = setHomeCity
    }

    /// Verifies a candidate.
    ///
    /// - Parameters:
    ///   - userID: the owner of the job. Other people's candidates are not used.
    ///   - ask: errors other than ``ProviderFailure``, such as cancellation, are rethrown.
    package func run(_ candidateID: String, userID: String, ask: Ask) async throws -> Outcome {
        let now = Timestamp.now()
        guard let record = try await database.read({ try $0.vault.candidate(id: candidateID, now: now) }),
            record.userID == userID, let provider = Provider(rawValue: record.provider)
        else {
            return Outcome(result: VerificationResult(.gone)) { _ in nil }
        }
        let candidate: CredentialCandidate
        do throws(VaultError) {
            candidate = try CredentialCandidate(opening: record, by: vault)
        } catch {
            return Self.dropping(candidateID, VerificationResult(ProviderFailure(error, of: provider)))
        }
        let account: String?
        do {
            account = try await ask(candidate)
        } catch let failure as ProviderFailure {
            return Self.dropping(candidateID, VerificationResult(failure))
        }
        // The candidate, or the vault's key, may have been removed during the call.
        guard try await database.read({ try $0.vault.candidate(id: candidateID, now: .now()) }) != nil else {
            return Outcome(result: VerificationResult(.gone)) { _ in nil }
        }
        do throws(VaultError) { _ = try vault.vault() } catch {
            return Self.dropping(candidateID, VerificationResult(ProviderFailure(error, of: provider)))
        }
        return Outcome(result: VerificationResult(.accepted)) { transaction in
            try promote(candidate, account: account, in: transaction)
        }
    }

    private static func dropping(_ candidateID: String, _ result: VerificationResult) -> Outcome {
        Outcome(result: result) { transaction in
            try transaction.vault.deleteCandidate(id: candidateID)
            return nil
        }
    }

    /// Stores nothing if the candidate was withdrawn or has expired in the meantime.
    ///
    /// - Returns: the event to publish if it was stored.
    private func promote(
        _ candidate: CredentialCandidate, account: String?, in transaction: WriteTransaction
    ) throws -> AccountConnected? {
        let now = Timestamp.now()
        guard try transaction.vault.candidate(id: candidate.id, now: now) != nil else { return nil }
        try transaction.vault.deleteCandidate(id: candidate.id)
        let (userID, provider) = (candidate.userID, candidate.provider)
        try transaction.vault.deleteSecrets(userID: userID, provider: provider.rawValue)
        for (field, secret) in candidate.secrets {
            try transaction.vault.putSecret(
                secret, as: SecretName(userID: userID, provider: provider, field: field), by: vault, now: now)
        }
        var details = candidate.details
        if let city = details.removeValue(forKey: SetupDetail.city) {
            try setHomeCity(city, userID, now, transaction)
        }
        let document = try details.isEmpty ? nil : String(decoding: JSONEncoder().encode(details), as: UTF8.self)
        let actions = try transaction.connections.handle(.accepted, userID: userID, provider: provider, now: now) {
            record in
            record.authorizedAt = now
            record.accountName = account
            record.details = document
        }
        if actions.contains(.resumeJobs) {
            try transaction.jobs.resumeJobs(userID: userID, awaiting: provider.rawValue, now: now)
        }
        return AccountConnected(userID: userID, provider: provider)
    }
}

/// The names of a credential's fields that are not secret.
package enum SetupDetail {
    package static let city = "city"
    package static let teamID = "teamId"
    package static let keyID = "keyId"
}
