import Contracts
import Model
import Storage
import TestProcesses
import Testing
import Vault

@Suite("Lookups with the keys of waiting people", .timeLimit(.minutes(20)))
struct PersonalKeyTests {
    @Test(
        "A refused key fails only its owner's search, and the next person's key completes the others")
    func refusedKey() async throws {
        // The installation has no key; there are only personal keys.
        let setup = ConcertInstallation.Setup(
            latencyMs: 5, keys: [Simulator.key, "ada-key-0001", "bob-key-0002"], workerKey: nil)
        try await ConcertInstallation.run(setup) { concerts in
            let (ada, bob) = (try await concerts.addUser(), try await concerts.addUser("bob"))
            for (user, key) in [(ada, "ada-key-0001"), (bob, "bob-key-0002")] {
                let saved = try await user.save("ticketmaster", ["apiKey": key, "city": "Prague"])
                #expect(saved.status == 200, "\(saved.text)")
            }
            // Ticketmaster no longer knows Ada's key. Both people wait for the same lookups.
            try await concerts.base.changeTicketmasterKey(of: "ada", to: "ada-key-that-was-good")
            try await concerts.stopWorkers()
            let first = try await ada.beginSearch(["Coldplay", "Adele"])
            let second = try await bob.beginSearch(["Coldplay", "Adele"])
            try await concerts.startWorker()

            let (failed, complete) = (try await ada.endOfSearch(first), try await bob.endOfSearch(second))
            #expect(complete.state == "complete" && complete.warnings.isEmpty)
            #expect(failed.state == "failed" && failed.coverage.map(\.status) == ["failed", "failed"])
            #expect(failed.warnings.map(\.code) == ["ticketmasterKeyInvalid", "ticketmasterKeyInvalid"])
            let step = try #require(try await ada.setup().step("ticketmaster"))
            #expect(step.state == "needsAttention" && step.reason == "keyRefused" && step.recovery == "reconnect")
            #expect(try await bob.setup().step("ticketmaster")?.state == "complete")

            // The answers from the other person's key are stored. For others she has to enter a valid key.
            #expect(try await ada.retrySearch(first).state == "complete")
            let more = try await ada.beginSearch(["Muse"])
            #expect(try await ada.endOfSearch(more).warnings.map(\.code) == ["ticketmasterKeyInvalid"])
            #expect(try await ada.save("ticketmaster", ["apiKey": "ada-key-0001", "city": "Brno"]).status == 200)
            #expect(try await ada.setup().step("ticketmaster")?.state == "complete")
            #expect(try await ada.retrySearch(more).state == "complete")
        }
    }
}

extension Installation {
    /// Replaces a person's key without verifying it.
    fileprivate func changeTicketmasterKey(of name: String, to key: String) async throws {
        let vault = CurrentVault(keyFile: vaultFiles.keys)
        try await withDatabase { database in
            try await database.write { transaction in
                let userID: String = try #require(
                    try transaction.row("SELECT id FROM users WHERE name = \(name)"))["id"]
                let secret = try vault.seal(
                    Secret(key), as: SecretName(userID: userID, provider: .ticketmaster, field: "apiKey"),
                    in: transaction)
                try transaction.vault.putSecret(
                    secret, userID: userID, provider: "ticketmaster", field: "apiKey", now: .now())
            }
        }
    }
}
