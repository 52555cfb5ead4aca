import Connections
import ConnectionsWorker
import Contracts
import DomainEvents
import Foundation
import Jobs
import Model
import Storage
import Synchronization
import TestSupport
import Testing
import Vault
import Workers

@testable import ConnectionsHTTP
@testable import Gateway

@Suite("The setup and libraries", .timeLimit(.minutes(5)))
struct SetupLibraryTests {
    private struct Refusal: Error {}

    private func service(of fixture: SetupFixture, hasAppleMusicKey: Bool) -> SetupService {
        SetupService(
            queue: fixture.service.queue, sealer: fixture.service.sealer, cityNames: .builtIn, spotifyClientID: nil,
            hasAppleMusicKey: hasAppleMusicKey)
    }

    @Test("What was read with a credential is scheduled for deletion in the transaction that removes it")
    func removalSchedulesDeletion() async throws {
        try await SetupFixture.run { fixture in
            try await fixture.enterGemini("a-key-of-ada-1234")
            let told = Collector<String>()
            let isRefusing = Mutex(true)
            fixture.database.register([
                EventSubscriber(AccountRemoved.self) { account, _ in
                    if isRefusing.withLock({ $0 }) { throw Refusal() }
                    told.append("\(account.provider) \(account.userID)")
                }
            ])
            await #expect(throws: Refusal.self) { try await fixture.service.remove(.gemini, userID: fixture.userID) }
            let kept = try await fixture.step(.gemini)
            #expect(kept.state == .complete && kept.maskedKey != nil)

            isRefusing.withLock { $0 = false }
            try await fixture.service.remove(.gemini, userID: fixture.userID)
            let removed = try await fixture.step(.gemini)
            #expect(removed.state == .incomplete && told.elements == ["gemini \(fixture.userID)"])

            let spotify = SpotifyService(queue: fixture.service.queue, authorizations: nil)
            try await spotify.disconnect(userID: fixture.userID)
            #expect(told.elements.last == "spotify \(fixture.userID)")
        }
    }

    @Test("The step of Apple Music says whether the installation has a developer key")
    func installationKey() async throws {
        try await SetupFixture.run { fixture in
            for hasKey in [true, false] {
                let step = try await service(of: fixture, hasAppleMusicKey: hasKey).step(
                    .appleMusic, userID: fixture.userID)
                let document = String(decoding: step.json, as: UTF8.self)
                #expect(document.contains(#""installationKey":true"#) == hasKey)
            }
        }
    }

    @Test("An accepted user token is a connection, for whose library a sync is submitted in the same transaction")
    func acceptedTokenBeginsASync() async throws {
        try await withDatabase { database, folder in
            let files = VaultFiles(
                keys: VaultKeyFile(path: folder.file("vault.key")),
                publicKey: VaultPublicKeyFile(path: folder.file("vault.pub")))
            _ = try await files.prepare(database)
            let userID = try await database.addPerson()
            let told = Collector<String>()
            database.register([
                EventSubscriber(AccountConnected.self) { account, transaction in
                    let record = try transaction.connections.record(
                        userID: account.userID, provider: account.provider.rawValue)
                    told.append("\(account.provider) \(record?.state ?? "-")")
                }
            ])
            let vault = CurrentVault(keyFile: files.keys)
            let verification = CredentialVerification(database: database, vault: vault) { _, _, _, _ in }
            let handler = JobHandler.verification(.setupVerifyAppleMusic, verification) { candidate in
                guard candidate.secrets[SecretField.userToken] == Secret("good") else {
                    throw ProviderFailure(.appleMusic, .userTokenRefused, message: "no")
                }
                return "storefront fr"
            }
            try await WorkerEnd.run(database: database, handlers: [handler]) { worker in
                let service = SetupService(
                    queue: worker.queue, sealer: CurrentPublicKey(file: files.publicKey), cityNames: .builtIn,
                    spotifyClientID: nil, hasAppleMusicKey: true)
                func enter(_ userToken: String) async throws {
                    try await service.verify(
                        CredentialCandidate(
                            userID: userID, provider: .appleMusic,
                            secrets: [SecretField.userToken: Secret(userToken)]),
                        by: .setupVerifyAppleMusic)
                }
                await #expect(throws: Problem.self) { try await enter("bad") }
                #expect(told.elements.isEmpty)
                try await enter("good")
                #expect(told.elements == ["appleMusic connected"])
            }
        }
    }
}
