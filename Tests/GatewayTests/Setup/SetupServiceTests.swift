import Contracts
import LinkedAccounts
import Model
import Testing
import Vault

@testable import Gateway

@Suite("Changes to a person's setup", .timeLimit(.minutes(5)))
struct SetupServiceTests {
    @Test("The home city can be changed without entering the key again")
    func move() async throws {
        try await SetupBench.run { bench in
            try await bench.enterTicketmaster("a-key-of-ada-1234", city: "Brno")
            try await bench.service.setHomeCity("Wien", userID: bench.userID)
            let step = try await bench.step(.ticketmaster)
            #expect(step.city == "Wien" && step.maskedKey == "••••1234" && step.state == .complete)
        }
    }

    @Test("Without a key the home city cannot be set, and the problem names the missing field")
    func moveWithoutKey() async throws {
        try await SetupBench.run { bench in
            let problem = await bench.problem { try await bench.service.setHomeCity("Wien", userID: bench.userID) }
            #expect(problem?.status == .unprocessableContent && problem?.field == "$.apiKey")
            #expect(try await bench.step(.ticketmaster).city == nil)
            // The result is the same after the key was removed.
            try await bench.enterTicketmaster("key-1234", city: "Brno")
            try await bench.service.remove(.ticketmaster, userID: bench.userID)
            let again = await bench.problem { try await bench.service.setHomeCity("Wien", userID: bench.userID) }
            #expect(again?.field == "$.apiKey")
        }
    }

    @Test("Changing the home city withdraws a key whose check has not ended, with its city")
    func moveMeanwhile() async throws {
        try await SetupBench.run { bench in
            try await bench.enterTicketmaster("key-1234", city: "Brno")
            try await bench.insertCandidate(.ticketmaster, at: .now())
            try await bench.service.setHomeCity("Wien", userID: bench.userID)
            #expect(try await bench.candidates == 0)
        }
    }

    @Test("A removed key is deleted at once, and its step is incomplete again")
    func remove() async throws {
        try await SetupBench.run { bench in
            try await bench.enterGemini("key-1234")
            try await bench.enterTicketmaster("key-5678", city: "Brno")
            try await bench.insertCandidate(.gemini, at: .now())
            try await bench.service.remove(.gemini, userID: bench.userID)
            let step = try await bench.step(.gemini)
            #expect(step.state == .incomplete && step.maskedKey == nil && step.connectedAt == nil)
            #expect(try await bench.candidates == 0)
            #expect(try await bench.step(.ticketmaster).state == .complete)
            // A missing key can be removed, too.
            try await bench.service.remove(.gemini, userID: bench.userID)
            #expect(try await bench.step(.gemini).state == .incomplete)
        }
    }

    @Test("The checklist counts the complete steps")
    func checklist() async throws {
        try await SetupBench.run { bench in
            #expect(try await bench.service.checklist(userID: bench.userID).completed == 0)
            try await bench.enterGemini("key-1234")
            let checklist = try await bench.service.checklist(userID: bench.userID)
            #expect(checklist.completed == 1 && checklist.steps.count == 3 && checklist.optional.count == 1)
        }
    }

    @Test("Upkeep deletes candidates that have expired, and no others")
    func prune() async throws {
        try await SetupBench.run { bench in
            try await bench.insertCandidate(.gemini, at: .now())
            try await bench.service.prune(at: .unguarded(.now()))
            #expect(try await bench.candidates == 1)
            let past = Timestamp.now().advanced(by: .zero - CredentialCandidate.lifetime)
            try await bench.insertCandidate(.ticketmaster, at: past)
            try await bench.service.prune(at: .unguarded(.now()))
            #expect(try await bench.candidates == 1)
        }
    }
}
