import Concerts
import ConnectionsWorker
import Contracts
import Foundation
import Jobs
import Connections
import Model
import Storage
import TestSupport
import Testing
import Vault
import Workers

@testable import ConnectionsHTTP
@testable import Gateway

/// A person with setup steps at a gateway with a worker, and an upstream whose answers a test determines.
struct SetupFixture: Sendable {
    let database: Database
    let vault: CurrentVault
    let userID: String
    let files: VaultFiles
    let service: SetupService

    static func run(
        answer: @escaping CredentialVerification.Ask = { _ in nil },
        _ body: (SetupFixture) async throws -> Void
    ) async throws {
        try await withDatabase { database, folder in
            let files = VaultFiles(
                keys: VaultKeyFile(path: folder.file("vault.key")),
                publicKey: VaultPublicKeyFile(path: folder.file("vault.pub")))
            _ = try await files.prepare(database)
            let vault = CurrentVault(keyFile: files.keys)
            let userID = try await database.addPerson()
            let verification = CredentialVerification(database: database, vault: vault) {
                city, userID, now, transaction in
                try transaction.accounts.setHomeCity(city, userID: userID, now: now)
            }
            let handlers: [JobHandler] = [
                .verification(.setupVerifyGemini, verification, ask: answer),
                .verification(.setupVerifyTicketmaster, verification, ask: answer),
            ]
            try await WorkerEnd.run(database: database, handlers: handlers) { worker in
                let service = SetupService(
                    queue: worker.queue, sealer: CurrentPublicKey(file: files.publicKey), cityNames: .builtIn,
                    spotifyClientID: nil)
                try await body(
                    SetupFixture(database: database, vault: vault, userID: userID, files: files, service: service))
            }
        }
    }

    // MARK: The person's actions

    func enterGemini(_ key: String) async throws {
        try await service.verify(
            CredentialCandidate(userID: userID, provider: .gemini, secrets: [SecretField.apiKey: Secret(key)]),
            by: .setupVerifyGemini)
    }

    func enterTicketmaster(_ key: String, city: String) async throws {
        try await service.verify(
            CredentialCandidate(
                userID: userID, provider: .ticketmaster, secrets: [SecretField.apiKey: Secret(key)],
                details: [SetupDetail.city: city]), by: .setupVerifyTicketmaster)
    }

    /// Stores an entered key without a job to verify it.
    func insertCandidate(_ provider: Provider, at moment: Timestamp) async throws {
        let candidate = CredentialCandidate(
            userID: userID, provider: provider, secrets: [SecretField.apiKey: Secret("candidate")])
        try await database.write { [vault] in try candidate.insert(sealedBy: vault, in: $0, now: moment) }
    }

    func expireCandidates() async throws {
        try await database.write { try $0.run("UPDATE credential_candidates SET expires_at = 1") }
    }

    /// The problem that `body` throws; the test fails when it throws none.
    func problem(_ body: () async throws -> Void) async -> Problem? {
        await #expect(throws: Problem.self) { try await body() }
    }

    // MARK: The present state

    func step(_ provider: Provider) async throws -> SetupStep {
        try await service.step(provider, userID: userID)
    }

    /// The number of entered keys that are not verified yet.
    var candidates: Int {
        get async throws { try await count("SELECT COUNT(*) AS count FROM credential_candidates") }
    }

    var hasJobs: Bool {
        get async throws { try await count("SELECT COUNT(*) AS count FROM jobs") > 0 }
    }

    /// Removes the public key's file, without which the gateway cannot seal a secret.
    func removePublicKeyFile() throws { try FileManager.default.removeItem(atPath: files.publicKey.path) }

    private func count(_ statement: SQL) async throws -> Int {
        try await database.read { try $0.row(statement).map { try $0["count"] } ?? 0 }
    }
}
