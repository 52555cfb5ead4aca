import Contracts
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("Verification of entered credentials")
struct CredentialVerificationTests {
    @Test("A job only verifies its own person's candidate")
    func candidatesOfTheOwner() async throws {
        try await withVault { database, _, vault in
            let (ada, bob) = (try await database.addPerson("ada"), try await database.addPerson("bob"))
            let candidate = CredentialCandidate(
                userID: ada, provider: .gemini, secrets: ["apiKey": Secret("k")], details: [SetupDetail.city: "Wien"])
            try await database.write { try candidate.insert(sealedBy: vault, in: $0, now: .now()) }
            let verification = CredentialVerification(database: database, vault: vault) {
                city, userID, _, transaction in
                try transaction.run("UPDATE users SET home_city = \(city) WHERE id = \(userID)")
            }
            let strange = try await verification.run(candidate.id, userID: bob) { _ in
                Issue.record("the candidate was verified")
                return nil
            }
            #expect(strange.result == VerificationResult(.gone))
            let own = try await verification.run(candidate.id, userID: ada) { _ in nil }
            #expect(own.result == VerificationResult(.accepted))
            #expect(try await database.write { try own.write($0) } != nil)
            // The candidate is used up.
            #expect(try await database.write { try own.write($0) } == nil)
            let cities = try await database.read { reader in
                try reader.rows("SELECT home_city FROM users ORDER BY name").map { try $0["home_city"] as String? }
            }
            #expect(cities == ["Wien", nil])
        }
    }

    @Test("A candidate that cannot be opened is deleted with its cause: the key is missing, or another key sealed it")
    func unopenedCandidates() async throws {
        try await withVault { database, folder, vault in
            let ada = try await database.addPerson()
            let other = VaultKeyFile(path: folder.file("other.key"))
            for trouble in [VaultTrouble.vaultUnavailable, .vaultKeyLost] {
                let candidate = CredentialCandidate(userID: ada, provider: .gemini, secrets: ["apiKey": Secret("k")])
                try await database.write { try candidate.insert(sealedBy: vault, in: $0, now: .now()) }
                let verification = CredentialVerification(database: database, vault: CurrentVault(keyFile: other)) {
                    _, _, _, _ in
                }
                let outcome = try await verification.run(candidate.id, userID: ada) { _ in
                    Issue.record("the candidate was verified")
                    return nil
                }
                #expect(outcome.result == .unavailable(code: .vaultUnavailable, trouble.sentence))
                #expect(try await database.write { try outcome.write($0) } == nil)
                #expect(try await database.read { try $0.vault.candidate(id: candidate.id, now: .now()) } == nil)
                if trouble == .vaultUnavailable { _ = try other.make() }
            }
        }
    }
}
