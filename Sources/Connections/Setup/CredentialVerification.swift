import Contracts
import Foundation
import Model
import Storage
import Vault

/// Proves candidates with a real call, and makes those that work their owners' credentials.
package struct CredentialVerification: Sendable {
    /// What the upstream says to a candidate.
    package enum Verdict: Sendable {
        /// - Parameter account: what the upstream calls the account, if it says.
        case accepted(account: String? = nil)
        /// A `refused` or `unavailable` result.
        case other(VerificationResult)
    }

    package typealias Ask = @Sendable (CredentialCandidate) async throws -> Verdict

    /// A verdict, and what belongs to it in the database.
    package struct Outcome: Sendable {
        package var result: VerificationResult
        package var write: @Sendable (WriteTransaction) throws -> Void
    }

    private let database: Database
    private let vault: CurrentVault

    package init(database: Database, vault: CurrentVault) {
        self.database = database
        self.vault = vault
    }

    /// - Parameters:
    ///   - userID: of the job; nobody else's candidate is touched.
    ///   - ask: makes the call; it throws only what says nothing about the candidate, such as cancellation.
    package func run(_ candidateID: String, userID: String, ask: Ask) async throws -> Outcome {
        let now = Timestamp.now()
        guard let record = try await database.read({ try $0.candidate(id: candidateID, now: now) }),
            record.userID == userID
        else {
            return Outcome(result: VerificationResult(.gone)) { _ in }
        }
        let candidate: CredentialCandidate
        do throws(VaultError) {
            candidate = try CredentialCandidate(opening: record, by: vault)
        } catch {
            return Self.dropping(candidateID, error)
        }
        switch try await ask(candidate) {
        case .other(let result): return Self.dropping(candidateID, result)
        case .accepted(let account):
            // It may have been taken back while the upstream was asked, and so may what opened it.
            guard try await database.read({ try $0.candidate(id: candidateID, now: .now()) }) != nil else {
                return Outcome(result: VerificationResult(.gone)) { _ in }
            }
            do throws(VaultError) { _ = try vault.vault() } catch { return Self.dropping(candidateID, error) }
            return Outcome(result: VerificationResult(.accepted)) { [vault] transaction in
                try Self.promote(candidate, vault: vault, account: account, in: transaction)
            }
        }
    }

    private static func dropping(_ candidateID: String, _ error: VaultError) -> Outcome {
        dropping(candidateID, .unavailable(code: .vaultUnavailable, VaultTrouble(error).sentence))
    }

    private static func dropping(_ candidateID: String, _ result: VerificationResult) -> Outcome {
        Outcome(result: result) { try $0.deleteCandidate(id: candidateID) }
    }

    /// Nothing becomes of a candidate that was taken back, or has expired, meanwhile.
    private static func promote(
        _ candidate: CredentialCandidate, vault: CurrentVault, account: String?, in transaction: WriteTransaction
    ) throws {
        let now = Timestamp.now()
        guard try transaction.candidate(id: candidate.id, now: now) != nil else { return }
        try transaction.deleteCandidate(id: candidate.id)
        let (userID, provider) = (candidate.userID, candidate.provider)
        try transaction.deleteSecrets(userID: userID, provider: provider.rawValue)
        for (field, secret) in candidate.secrets {
            try transaction.putSecret(
                secret, as: SecretName(userID: userID, provider: provider, field: field), by: vault, now: now)
        }
        var details = candidate.details
        if let city = details.removeValue(forKey: SetupDetail.city) {
            try transaction.setHomeCity(city, userID: userID, now: now)
        }
        let document = try details.isEmpty ? nil : String(decoding: JSONEncoder().encode(details), as: UTF8.self)
        let actions = try transaction.handle(.accepted, userID: userID, provider: provider, now: now) { record in
            record.authorizedAt = now
            record.accountName = account
            record.details = document
        }
        if actions.contains(.resumeJobs) {
            try transaction.resumeJobs(userID: userID, awaiting: provider.rawValue, now: now)
        }
    }
}

/// The names of what belongs to a credential and is no secret.
package enum SetupDetail {
    package static let city = "city"
    package static let teamID = "teamId"
    package static let keyID = "keyId"
}
