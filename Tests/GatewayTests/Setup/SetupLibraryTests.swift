import Contracts
import Foundation
import Jobs
import LinkedAccounts
import Model
import Storage
import TestSupport
import Testing
import Vault
import Workers

@testable import Gateway

@Suite("The setup and libraries", .timeLimit(.minutes(5)))
struct SetupLibraryTests {
    private struct Refusal: Error {}

    private func service(
        of fixture: SetupFixture, hasAppleMusicKey: Bool = false,
        scheduleLibraryRemoval: @escaping ScheduleLibraryRemoval = { _, _, _ in }
    ) -> SetupService {
        SetupService(
            queue: fixture.service.queue, sealer: fixture.service.sealer, cityNames: .builtIn, spotifyClientID: nil,
            hasAppleMusicKey: hasAppleMusicKey, scheduleLibraryRemoval: scheduleLibraryRemoval)
    }

    @Test("What was read with a credential is scheduled for deletion in the transaction that removes it")
    func removal() async throws {
        try await SetupFixture.run { fixture in
            try await fixture.enterGemini("a-key-of-ada-1234")
            let failing = service(of: fixture) { _, _, _ in throw Refusal() }
            await #expect(throws: Refusal.self) { try await failing.remove(.gemini, userID: fixture.userID) }
            let kept = try await fixture.step(.gemini)
            #expect(kept.state == .complete && kept.maskedKey != nil)

            let told = Collector<String>()
            let telling = service(of: fixture) { provider, userID, _ in told.append("\(provider) \(userID)") }
            try await telling.remove(.gemini, userID: fixture.userID)
            let removed = try await fixture.step(.gemini)
            #expect(removed.state == .incomplete && told.elements == ["gemini \(fixture.userID)"])

            let spotify = SpotifyService(
                queue: fixture.service.queue, authorizations: nil,
                scheduleLibraryRemoval: { provider, userID, _ in told.append("\(provider) \(userID)") })
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

    @Test("An accepted user token submits a sync in the same transaction; a refused one does not")
    func accepted() async throws {
        try await withDatabase { database, folder in
            let files = VaultFiles(
                keys: VaultKeyFile(path: folder.file("vault.key")),
                publicKey: VaultPublicKeyFile(path: folder.file("vault.pub")))
            _ = try await files.prepare(database)
            let userID = try await database.addPerson()
            let told = Collector<String>()
            let hooks = LibraryHooks(
                submitLibrarySync: { source, userID, transaction, _ in
                    let record = try transaction.connections.record(
                        userID: userID, provider: source.provider?.rawValue ?? "")
                    told.append("\(source) \(record?.state ?? "-")")
                }, scheduleLibraryRemoval: { _, _, _ in })
            let vault = CurrentVault(keyFile: files.keys)
            let verification = CredentialVerification(database: database, vault: vault) { _, _, _, _ in }
            let handler = JobHandler.verification(.setupVerifyAppleMusic, verification, library: hooks) { candidate in
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
