import Contracts
import Foundation
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("Credentials for Apple Music")
struct AppleMusicCredentialsTests {
    private static func run(
        _ body: (_ fixture: Fixture, _ credentials: AppleMusicCredentials) async throws -> Void
    ) async throws {
        try await withVault { database, _, vault in
            let fixture = Fixture(database: database, vault: vault, userID: try await database.addPerson())
            try await body(
                fixture,
                AppleMusicCredentials(database: database, vault: vault, onVaultTrouble: { Issue.record($0) }))
        }
    }

    @Test("A token is opened, as is the developer key of a person who has one")
    func openedTokens() async throws {
        try await Self.run { fixture, credentials in
            await #expect(throws: ProviderFailure.self) { try await credentials.credential(userID: fixture.userID) }
            try await fixture.enter("token-1")
            let shared = try await credentials.credential(userID: fixture.userID)
            #expect(shared.userToken == Secret("token-1") && shared.ownKey == nil)
            try await fixture.enter("token-2", privateKey: "pem")
            let own = try await credentials.credential(userID: fixture.userID)
            #expect(own.userToken == Secret("token-2"))
            #expect(own.ownKey == .init(teamID: "team", keyID: "key", privateKey: Secret("pem")))
        }
    }

    @Test("The mark changes with each entered token, and reveals nothing of it")
    func markOfAToken() async throws {
        try await Self.run { fixture, credentials in
            await #expect(throws: ProviderFailure.self) { try await credentials.mark(userID: fixture.userID) }
            try await fixture.enter("secret")
            let first = try await credentials.mark(userID: fixture.userID)
            let again = try await credentials.mark(userID: fixture.userID)
            #expect(first == again && !first.contains("secret"))
            try await fixture.enter("secret-2")
            let second = try await credentials.mark(userID: fixture.userID)
            #expect(second != first)
        }
    }

    @Test(
        "A refused token loses the connection; the installation's faults do not",
        arguments: [
            (ProviderFailure.Kind.userTokenRefused, "needsReconnect", "userTokenRefused"),
            (.keyRefused, "needsReconnect", "keyRefused"), (.clientRefused, "degraded", "clientRefused"),
            (.credentialMissing, "connected", nil), (.rateLimited, "degraded", "rateLimited"),
            (.requestRefused, "connected", nil),
        ] as [(ProviderFailure.Kind, String, String?)])
    func refusedTokens(kind: ProviderFailure.Kind, state: String, reason: String?) async throws {
        try await Self.run { fixture, credentials in
            try await fixture.enter("token")
            let credential = try await credentials.credential(userID: fixture.userID)
            let failure = ProviderFailure(.appleMusic, kind, message: "no")
            try await credentials.failed(failure, with: credential, userID: fixture.userID)
            let record = try await fixture.record
            #expect(record.state == state && record.reason == reason)
            try await credentials.answered(userID: fixture.userID)
            let answered = try await fixture.record
            #expect(answered.state == (state == "degraded" ? "connected" : state))
        }
    }

    @Test("A late failure of a replaced token changes nothing")
    func failureOfAReplacedToken() async throws {
        try await Self.run { fixture, credentials in
            try await fixture.enter("old")
            let old = try await credentials.credential(userID: fixture.userID)
            try await fixture.enter("new")
            let failure = ProviderFailure(.appleMusic, .userTokenRefused, message: "no")
            try await credentials.failed(failure, with: old, userID: fixture.userID)
            let record = try await fixture.record
            #expect(record.state == "connected")
        }
    }

    private struct Fixture: Sendable {
        let database: Database
        let vault: CurrentVault
        let userID: String

        /// Stores a token that a person entered and a worker verified.
        func enter(_ userToken: String, privateKey: String? = nil) async throws {
            var candidate = CredentialCandidate(
                userID: userID, provider: .appleMusic, secrets: [SecretField.userToken: Secret(userToken)])
            if let privateKey {
                candidate.secrets[SecretField.privateKey] = Secret(privateKey)
                candidate.details = [SetupDetail.teamID: "team", SetupDetail.keyID: "key"]
            }
            try await database.write { [candidate, vault] in
                try candidate.insert(sealedBy: vault, in: $0, now: .now())
            }
            let verification = CredentialVerification(database: database, vault: vault) { _, _, _, _ in }
            let outcome = try await verification.run(candidate.id, userID: userID) { _ in "storefront fr" }
            let isStored = try await database.write { try outcome.write($0) != nil }
            try #require(isStored)
        }

        var record: ConnectionRecord {
            get async throws {
                let found = try await database.read { [userID] in
                    try $0.connections.record(userID: userID, provider: "appleMusic")
                }
                return try #require(found)
            }
        }
    }
}
