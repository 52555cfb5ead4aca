import Contracts
import Connections
import Model
import Testing
import Vault

@testable import ConnectionsHTTP
@testable import Gateway

@Suite("Changes to a person's setup", .timeLimit(.minutes(5)))
struct SetupServiceTests {
    @Test("The home city can be changed without entering the key again")
    func changedHomeCity() async throws {
        try await SetupFixture.run { fixture in
            try await fixture.enterTicketmaster("a-key-of-ada-1234", city: "Brno")
            try await fixture.service.setHomeCity("Wien", userID: fixture.userID)
            let step = try await fixture.step(.ticketmaster)
            #expect(step.city == "Wien" && step.maskedKey == "••••1234" && step.state == .complete)
        }
    }

    @Test("Without a key the home city cannot be set, and the problem names the missing field")
    func moveWithoutKey() async throws {
        try await SetupFixture.run { fixture in
            let problem = await fixture.problem {
                try await fixture.service.setHomeCity("Wien", userID: fixture.userID)
            }
            #expect(problem?.status == .unprocessableContent && problem?.field == "$.apiKey")
            #expect(try await fixture.step(.ticketmaster).city == nil)
            // The result is the same after the key was removed.
            try await fixture.enterTicketmaster("key-1234", city: "Brno")
            try await fixture.service.remove(.ticketmaster, userID: fixture.userID)
            let again = await fixture.problem { try await fixture.service.setHomeCity("Wien", userID: fixture.userID) }
            #expect(again?.field == "$.apiKey")
        }
    }

    @Test("Changing the home city withdraws a key whose check has not ended, with its city")
    func moveMeanwhile() async throws {
        try await SetupFixture.run { fixture in
            try await fixture.enterTicketmaster("key-1234", city: "Brno")
            try await fixture.insertCandidate(.ticketmaster, at: .now())
            try await fixture.service.setHomeCity("Wien", userID: fixture.userID)
            #expect(try await fixture.candidates == 0)
        }
    }

    @Test("A removed key is deleted at once, and its step is incomplete again")
    func removedKey() async throws {
        try await SetupFixture.run { fixture in
            try await fixture.enterGemini("key-1234")
            try await fixture.enterTicketmaster("key-5678", city: "Brno")
            try await fixture.insertCandidate(.gemini, at: .now())
            try await fixture.service.remove(.gemini, userID: fixture.userID)
            let step = try await fixture.step(.gemini)
            #expect(step.state == .incomplete && step.maskedKey == nil && step.connectedAt == nil)
            #expect(try await fixture.candidates == 0)
            #expect(try await fixture.step(.ticketmaster).state == .complete)
            // A missing key can be removed, too.
            try await fixture.service.remove(.gemini, userID: fixture.userID)
            #expect(try await fixture.step(.gemini).state == .incomplete)
        }
    }

    @Test("The checklist counts the complete steps")
    func countsOfTheChecklist() async throws {
        try await SetupFixture.run { fixture in
            #expect(try await fixture.service.checklist(userID: fixture.userID).completed == 0)
            try await fixture.enterGemini("key-1234")
            let checklist = try await fixture.service.checklist(userID: fixture.userID)
            #expect(checklist.completed == 1 && checklist.steps.count == 3 && checklist.optional.count == 1)
        }
    }

    @Test("Upkeep deletes candidates that have expired, and no others")
    func deletionOfExpiredCandidates() async throws {
        try await SetupFixture.run { fixture in
            try await fixture.insertCandidate(.gemini, at: .now())
            try await fixture.service.prune(at: .unguarded(.now()))
            #expect(try await fixture.candidates == 1)
            let past = Timestamp.now().advanced(by: .zero - CredentialCandidate.lifetime)
            try await fixture.insertCandidate(.ticketmaster, at: past)
            try await fixture.service.prune(at: .unguarded(.now()))
            #expect(try await fixture.candidates == 1)
        }
    }
}
