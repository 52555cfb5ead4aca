import Contracts
import Foundation
import Model
import Storage
import TestProcesses
import TestSupport
import Testing
import Vault

@Suite("Verifying what people enter", .timeLimit(.minutes(20)))
struct VerificationTests {
    private static let gemini = ["apiKey": Simulator.geminiKey]
    private static let nothing = ["credential_candidates": 0, "secrets": 0, "connections": 0]

    @Test("A key that is not verified in time, or that nobody waits for any longer, is not stored, then or later")
    func noWorker() async throws {
        try await Installation.run { base in
            let setup = SetupInstallation(base: base, upstream: try await base.startSimulator())
            try await base.startGateway()
            // Makes the vault's files, which a first worker would have made.
            _ = try await base.withDatabase { try await base.vaultFiles.prepare($0) }
            let (ada, bob, eve) = (
                try await base.addUser(), try await base.addUser("bob"), try await base.addUser("eve")
            )
            // No worker verifies Gemini's keys.
            async let patient = ada.save("gemini", Self.gemini)
            async let removed = eve.save("gemini", Self.gemini)
            let impatient = Task { try await bob.save("gemini", Self.gemini) }
            try await eventually("three candidates") { try await setup.rows()["credential_candidates"] == 3 }
            // The row contains no part of the key besides its sealed form.
            let hints = try await base.withDatabase { database in
                try await database.read {
                    try $0.rows("SELECT hint FROM credential_candidates").map { try $0["hint"] as String }
                }
            }
            #expect(hints == ["", "", ""])
            // The client disconnects.
            impatient.cancel()
            _ = await impatient.result
            #expect(try await eve.send(.DELETE, "/v1/setup/gemini").status == 204)
            #expect(try await setup.rows()["credential_candidates"] == 2)
            for answer in try await [patient, removed] {
                #expect(answer.status == 503 && answer.header("Retry-After") != nil, "\(answer.text)")
                #expect(try answer.problem.code == "noVerdict")
            }
            try await eventually("the end of bob's as well") { try await setup.rows() == Self.nothing }
            // A worker that starts later finds no key to verify.
            _ = try await base.startWorker(.ai)
            let states = try await base.withDatabase { database in
                try await database.read { try $0.rows("SELECT state FROM jobs").map { try $0["state"] as String } }
            }
            #expect(states == ["cancelled", "cancelled", "cancelled"])
            #expect(try await setup.upstream.gemini.calls() == 0)
            #expect(try await ada.save("gemini", Self.gemini).status == 200)
        }
    }

    @Test("A result that cannot be written leaves the step incomplete and no rows")
    func failedWrite() async throws {
        try await SetupInstallation.run { setup in
            let ada = try await setup.base.addUser()
            try await setup.base.withDatabase { database in
                try await database.write { transaction in
                    try transaction.run(
                        "CREATE TRIGGER refusal BEFORE INSERT ON secrets BEGIN SELECT RAISE(ABORT, 'no room'); END")
                }
            }
            let refused = try await ada.save("gemini", Self.gemini)
            #expect(refused.status == 503 && refused.header("Retry-After") != nil, "\(refused.text)")
            #expect(try await ada.setup().step("gemini")?.state == "incomplete")
            #expect(try await setup.rows() == Self.nothing)
            try await setup.base.withDatabase { database in
                try await database.write { try $0.run("DROP TRIGGER refusal") }
            }
            #expect(try await ada.save("gemini", Self.gemini).status == 200)
        }
    }

    @Test("Of two keys that are saved at once, one is kept, with its own city")
    func twoAtOnce() async throws {
        try await SetupInstallation.run { setup in
            let ada = try await setup.base.addUser()
            let cities = [Simulator.key: "Brno", Simulator.testKey: "Prague"]
            for _ in 0..<5 {
                try await withThrowingTaskGroup(of: APIResponse.self) { group in
                    for (key, city) in cities {
                        group.addTask { try await ada.save("ticketmaster", ["apiKey": key, "city": city]) }
                    }
                    let answers = try await group.reduce(into: [APIResponse]()) { $0.append($1) }
                    #expect(answers.contains { $0.status == 200 })
                    #expect(answers.allSatisfy { [200, 409].contains($0.status) }, "\(answers.map(\.text))")
                }
                let kept = try #require(try await setup.sealed().first { $0.provider == "ticketmaster" })
                let key = try Vault(keyring: setup.keyFile.read()).open(
                    kept.secret, as: SecretName(userID: kept.userID, provider: .ticketmaster, field: kept.field))
                let step = try #require(try await ada.setup().step("ticketmaster"))
                #expect(step.state == "complete" && step.city == cities[key.reveal()])
                #expect(try await setup.rows() == ["credential_candidates": 0, "secrets": 1, "connections": 1])
            }
        }
    }

    @Test("A refused key is answered with 422, and a failure that does not concern the key with 503")
    func answersToKeys() async throws {
        try await SetupInstallation.run { setup in
            let sim = setup.upstream
            // Each fault has a key of its own, since a pause applies to one key.
            let faults = [
                ("perDay429", 503, "quotaExhausted"), ("status500", 503, "upstreamError"),
                ("serviceDisabled", 422, "keyRestricted"), ("tokenTypeUnsupported", 503, "upstreamError"),
            ]
            let keys = Dictionary(uniqueKeysWithValues: faults.map { ("good-key-for-\($0.0)", JSON.string("valid")) })
            try await sim.gemini.configure([
                "keys": .object(keys.merging(["expired-key": .string("expired")]) { $1 })
            ])
            let ada = try await setup.base.addUser()
            let expired = try await ada.save("gemini", ["apiKey": "expired-key"])
            #expect(expired.status == 422 && expired.text.contains("expired"), "\(expired.text)")
            for (fault, status, code) in faults {
                try await sim.gemini.injectFault(fault, extra: fault == "perDay429" ? ["retryAfter": 7] : [:])
                let answer = try await ada.save("gemini", ["apiKey": "good-key-for-\(fault)"])
                #expect(answer.status == status, "\(fault): \(answer.text)")
                #expect(try answer.problem.code == code, "\(fault): \(answer.text)")
                #expect((answer.header("Retry-After") != nil) == (status == 503), "\(fault)")
                if fault == "tokenTypeUnsupported" { #expect(answer.text.contains("did not check this key")) }
                try await sim.gemini.heal()
            }
            for (fault, code) in [("status500", "upstreamError"), ("quota429", "quotaExhausted")] {
                try await sim.injectFault(fault)
                let key = fault == "quota429" ? Simulator.testKey : Simulator.key
                let answer = try await ada.save("ticketmaster", ["apiKey": key, "city": "Brno"])
                #expect(answer.status == 503 && answer.header("Retry-After") != nil, "\(fault): \(answer.text)")
                #expect(try answer.problem.code == code, "\(fault): \(answer.text)")
                try await sim.heal()
            }
            #expect(try await setup.rows() == Self.nothing)
        }
    }
}
