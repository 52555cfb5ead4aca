import Contracts
import Connections
import Model
import TestSupport
import Testing
import Vault

@testable import ConnectionsHTTP
@testable import Gateway

@Suite("Verifying people's entries", .timeLimit(.minutes(5)))
struct SetupProofTests {
    @Test("A key that the worker accepts is saved, and its last characters are shown")
    func acceptedKey() async throws {
        let asked = Collector<[String]>()
        try await SetupFixture.run { candidate in
            asked.append([candidate.provider.rawValue, candidate.secrets[SecretField.apiKey]?.reveal() ?? ""])
            return "Ada's"
        } _: { fixture in
            try await fixture.enterTicketmaster("key-of-ada-1234", city: "Brno")
            #expect(asked.elements == [["ticketmaster", "key-of-ada-1234"]])
            let step = try await fixture.step(.ticketmaster)
            #expect(step.state == .complete && step.maskedKey == "••••1234" && step.city == "Brno")
            #expect(step.account == "Ada's" && step.connectedAt != nil)
            #expect(try await fixture.candidates == 0)
            #expect(try await fixture.step(.gemini).state == .incomplete)
        }
    }

    @Test("A refused key is answered with its code, its field and what to do, and is not saved")
    func refusedKey() async throws {
        try await SetupFixture.run { _ in
            throw ProviderFailure(.gemini, .keyRestricted, message: "The key may not be used.")
        } _: { fixture in
            let problem = try #require(await fixture.problem { try await fixture.enterGemini("k") })
            #expect(problem.status == .unprocessableContent && problem.code == .keyRestricted)
            #expect(problem.detail == "The key may not be used." && problem.field == "$.apiKey")
            #expect(problem.recovery == "tellUser" && problem.retryAfter == nil)
            #expect(try await fixture.step(.gemini).state == .incomplete)
            #expect(try await fixture.candidates == 0)
        }
    }

    @Test("A key that could not be checked is answered with 503 and a time to retry", arguments: [nil, 77])
    func uncheckedKey(retryAfter: Int?) async throws {
        try await SetupFixture.run { _ in
            let until = retryAfter.map { Timestamp.now().advanced(by: .seconds($0)) }
            throw ProviderFailure(.gemini, .rateLimited, until: until, message: "It asked for a pause.")
        } _: { fixture in
            let problem = try #require(await fixture.problem { try await fixture.enterGemini("k") })
            #expect(problem.status == .serviceUnavailable && problem.code == .rateLimited)
            #expect(problem.detail == "It asked for a pause. Nothing was saved." && problem.field == nil)
            #expect(problem.recovery == "retryAt" && problem.retryAfter == retryAfter ?? 10)
            #expect(try await fixture.candidates == 0)
        }
    }

    @Test("A result without a reason says once that nothing was saved")
    func withoutReason() {
        let problem = Problem(VerificationResult(.unavailable), .gemini)
        #expect(problem.detail == "The answer did not arrive in time. Nothing was saved. Try again in a moment.")
    }

    @Test("A refused key leaves the former one in place")
    func formerKeyRemains() async throws {
        try await SetupFixture.run { candidate in
            let isGood = candidate.secrets[SecretField.apiKey] == Secret("good-key-of-ada-1234")
            if !isGood { throw ProviderFailure(.gemini, .keyRefused, message: "No.") }
            return nil
        } _: { fixture in
            try await fixture.enterTicketmaster("good-key-of-ada-1234", city: "Brno")
            let problem = await fixture.problem {
                try await fixture.enterTicketmaster("bad-key-of-ada-9999", city: "Wien")
            }
            #expect(problem != nil)
            let step = try await fixture.step(.ticketmaster)
            #expect(step.state == .complete && step.maskedKey == "••••1234" && step.city == "Brno")
        }
    }

    @Test("The key that was entered last is saved, whichever is checked last")
    func lastKeyIsSaved() async throws {
        let (asked, answered) = (Collector<Void>(), Collector<Void>())
        try await SetupFixture.run { candidate in
            if candidate.secrets[SecretField.apiKey] == Secret("first-key-of-ada-1111") {
                asked.append(())
                await answered.wait(for: 1)
            }
            return nil
        } _: { fixture in
            async let first = fixture.problem { try await fixture.enterGemini("first-key-of-ada-1111") }
            await asked.wait(for: 1)
            try await fixture.enterGemini("second-key-of-ada-2222")
            answered.append(())
            let problem = try #require(await first)
            #expect(problem.status == .conflict && problem.code == .superseded && problem.recovery == "tellUser")
            #expect(try await fixture.step(.gemini).maskedKey == "••••2222")
            #expect(try await fixture.candidates == 0)
        }
    }

    /// Enters a key, makes a change before its check ends, and expects that the key is not saved.
    ///
    /// - Parameter check: called at the end.
    private func expectSuperseded(
        by change: (SetupFixture) async throws -> Void, check: (SetupFixture) async throws -> Void = { _ in }
    ) async throws {
        let (asked, answered) = (Collector<Void>(), Collector<Void>())
        try await SetupFixture.run { _ in
            asked.append(())
            await answered.wait(for: 1)
            return nil
        } _: { fixture in
            async let entered = fixture.problem { try await fixture.enterGemini("key-1111") }
            await asked.wait(for: 1)
            try await change(fixture)
            answered.append(())
            #expect(try #require(await entered).code == .superseded)
            #expect(try await fixture.step(.gemini).state == .incomplete)
            try await check(fixture)
        }
    }

    @Test("A key that is removed before its check ends is not saved")
    func keyRemovedBeforeItsCheck() async throws {
        try await expectSuperseded { fixture in
            try await fixture.service.remove(.gemini, userID: fixture.userID)
        }
    }

    @Test("A key that expires before its check ends is not saved")
    func keyExpiredBeforeItsCheck() async throws {
        try await expectSuperseded { fixture in
            try await fixture.expireCandidates()
        } check: { fixture in
            try await fixture.service.prune(at: .unguarded(.now()))
            #expect(try await fixture.candidates == 0)
        }
    }

    @Test("A key whose check does not end in time is not saved, and the job is cancelled")
    func notInTime() async throws {
        let (asked, ended) = (Collector<Void>(), Collector<Void>())
        try await SetupFixture.run { _ in
            asked.append(())
            defer { ended.append(()) }
            // Ends when the job is cancelled.
            try await Task.sleep(for: .seconds(3_600))
            return nil
        } _: { fixture in
            async let entered = fixture.problem { try await fixture.enterGemini("key-1111") }
            await asked.wait(for: 1)
            // A stopping gateway ends the wait.
            fixture.service.queue.events.close()
            let problem = try #require(await entered)
            #expect(problem.status == .serviceUnavailable && problem.code == .noVerdict)
            #expect(problem.retryAfter == 5 && problem.recovery == "retryAt")
            #expect(try await fixture.candidates == 0)
            #expect(try await fixture.step(.gemini).state == .incomplete)
            await ended.wait(for: 1)
        }
    }

    @Test("Without the vault's public key nothing is stored, and no worker is asked")
    func vaultAway() async throws {
        try await SetupFixture.run { _ in
            Issue.record("it was asked for")
            return nil
        } _: { fixture in
            try fixture.removePublicKeyFile()
            let problem = try #require(await fixture.problem { try await fixture.enterGemini("key-1111") })
            #expect(problem.status == .serviceUnavailable && problem.code == .vaultUnavailable)
            #expect(problem.detail == VaultTrouble.vaultUnavailable.sentence && problem.retryAfter == 60)
            #expect(try await fixture.candidates == 0)
            #expect(try await fixture.hasJobs == false)
        }
    }
}
