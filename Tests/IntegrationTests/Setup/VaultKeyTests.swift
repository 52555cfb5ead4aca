import Foundation
import Storage
import TestProcesses
import TestSupport
import Testing
import Vault

@Suite("The vault's key at runtime", .timeLimit(.minutes(20)))
struct VaultKeyTests {
    @Test("The key is rotated while keys are saved and used and tokens refreshed, without a failed request")
    func rotationDuringUse() async throws {
        try await SetupInstallation.run { setup in
            let base = setup.base
            let spotify = SpotifyInstallation(base: base, upstream: setup.upstream.spotify)
            let ada = try await spotify.connectedUser()
            #expect(try await ada.save("gemini", ["apiKey": Simulator.geminiKey]).status == 200)
            let first = try setup.keyFile.read().current.id
            let rotations = Collector<CommandResult>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while rotations.elements.count < 5 {
                        let saved = try await ada.save(
                            "ticketmaster", ["apiKey": Simulator.testKey, "city": "Prague"])
                        #expect(saved.status == 200, "\(saved.text)")
                    }
                }
                group.addTask {
                    while rotations.elements.count < 5 {
                        try await spotify.expireAccessToken()
                        #expect(try await spotify.profile(ada).state == "succeeded")
                    }
                }
                group.addTask {
                    for _ in 0..<5 { rotations.append(try await base.backline("vault", "rotate")) }
                }
                try await group.waitForAll()
            }
            #expect(rotations.elements.allSatisfy { $0.status == 0 }, "\(rotations.elements)")
            #expect(try await base.backline("vault", "rotate").status == 0)
            let keyring = try setup.keyFile.read()
            #expect(keyring.former.isEmpty && keyring.current.id != first)
            #expect(Set(try await setup.sealed().map(\.secret.keyID)) == [keyring.current.id])
            // New processes open every secret.
            try await setup.stop()
            try await setup.start()
            try await spotify.expireAccessToken()
            #expect(try await spotify.profile(ada).state == "succeeded")
            let checklist = try await ada.setup()
            #expect(checklist.completed == 3, "\(checklist.steps)")
        }
    }

    @Test("A key file that is missing temporarily fails no job; the log names the file, but people's errors do not")
    func missingKeyFile() async throws {
        try await SetupInstallation.run(environment: SpotifyTokenTests.patient) { setup in
            let spotify = SpotifyInstallation(base: setup.base, upstream: setup.upstream.spotify)
            let ada = try await spotify.connectedUser()
            try await spotify.expireAccessToken()
            let keyring = try setup.keyFile.read()
            try FileManager.default.removeItem(atPath: setup.keyFile.path)
            let job = try await ada.submit(SpotifyInstallation.profileJob)
            try await eventually("the problem") { try await spotify.connection().reason == "secretsSealed" }
            #expect(try await ada.job(job.id, reaches: "scheduled").attempt > 0)
            let shown = try await ada.get("/v1/jobs/\(job.id)")
            #expect(shown.text.contains("backline doctor") && !shown.text.contains(setup.keyFile.path), "\(shown.text)")
            try setup.keyFile.replace(with: keyring)
            #expect(try await ada.ended(job.id).state == "succeeded")
            #expect(try await spotify.connection().state == "connected")
            let workers = setup.base.started.filter { $0.name == "sync-worker" }
            try await eventually("the log to name the file") {
                workers.contains { $0.errors.contains(setup.keyFile.path) }
            }
        }
    }

    @Test("After the key is lost, all processes start, report it and delete no secret until it is restored or replaced")
    func lostKey() async throws {
        try await SetupInstallation.run { setup in
            let (ada, bob) = (try await setup.base.addUser(), try await setup.base.addUser("bob"))
            let gemini = ["apiKey": Simulator.geminiKey]
            for saved in [
                try await ada.save("gemini", gemini), try await bob.save("gemini", gemini),
                try await ada.save("ticketmaster", ["apiKey": Simulator.testKey, "city": "Prague"]),
            ] { #expect(saved.status == 200, "\(saved.text)") }
            let (before, lost) = (try await setup.sealed(), try setup.keyFile.read().current)
            try await setup.stop()
            try FileManager.default.removeItem(atPath: setup.keyFile.path)
            #expect(try await setup.base.backline("vault", "new").status == 0)
            try await setup.start()

            for (user, id) in [(ada, "gemini"), (ada, "ticketmaster"), (bob, "gemini")] {
                let step = try #require(try await user.setup().step(id))
                #expect(step.state == "needsAttention" && step.reason == "vaultKeyLost" && step.recovery == "reconnect")
                #expect(step.detail.contains("Enter your keys again") && step.maskedKey != nil)
            }
            let search = try await ada.post(
                "/v1/concert-searches", #"{"artists":["Coldplay"]}"#, headers: ["Prefer": "wait=20"])
            #expect(search.status == 200, "the installation's key finds concerts: \(search.text)")
            let doctor = try await setup.base.backline("doctor")
            #expect(doctor.status == 1 && doctor.text.contains(/opens (\d+) of \1 sealed values/))
            #expect(try await setup.sealed() == before, "nothing is erased")

            #expect(try await ada.save("gemini", gemini).status == 200)
            #expect(try await ada.setup().step("gemini")?.state == "complete")
            #expect(try await bob.setup().step("gemini")?.state == "needsAttention")
            let present = try setup.keyFile.read().current
            try setup.keyFile.replace(with: VaultKeyring(current: present, former: [lost]))
            for (user, id) in [(ada, "gemini"), (ada, "ticketmaster"), (bob, "gemini")] {
                try await eventually("the lost key's return, without \(id) being entered again") {
                    try await user.setup().step(id)?.state == "complete"
                }
            }
            #expect(try await setup.base.backline("vault", "rotate").status == 0)
            #expect(try setup.keyFile.read().former.isEmpty)
            #expect(try await bob.setup().step("gemini")?.state == "complete")
        }
    }

    @Test("With a key file that others can read, processes start but seal nothing until its mode is corrected")
    func keyFileThatOthersRead() async throws {
        try await SetupInstallation.run { setup in
            let ada = try await setup.base.addUser()
            let gemini = ["apiKey": Simulator.geminiKey]
            #expect(try await ada.save("gemini", gemini).status == 200)
            try await setup.stop()
            let before = try await setup.sealed()
            #expect(chmod(setup.keyFile.path, 0o640) == 0)
            try await setup.start()
            for worker in Installation.Worker.allCases {
                try await #require(setup.base.running(worker.rawValue).first).waitForLog("chmod 600")
            }
            let refused = try await ada.save("gemini", gemini)
            #expect(refused.status == 503 && refused.header("Retry-After") != nil)
            #expect(try refused.problem.code == "vaultUnavailable")
            #expect(try await ada.setup().step("gemini")?.reason == "vaultUnavailable")
            #expect(try await setup.sealed() == before)
            #expect(chmod(setup.keyFile.path, 0o600) == 0)
            #expect(try await ada.save("gemini", gemini).status == 200)
            try await eventually("the workers' report") {
                try await ada.setup().step("gemini")?.state == "complete"
            }
        }
    }
}

extension SetupInstallation {
    var keyFile: VaultKeyFile { base.vaultFiles.keys }

    /// All sealed secrets of the database.
    func sealed() async throws -> [StoredSecret] {
        try await base.withDatabase { database in
            try await database.read { try $0.vault.secrets(notSealedWith: "", after: nil, limit: 1_000) }
        }
    }
}
