import Model
import PermitStorage
import Storage
import Testing
import Upstream

@testable import Gemini
@testable import UpstreamSimulator
@testable import Workers

@Suite("Quotas of Gemini", .timeLimit(.minutes(5)))
struct GeminiQuotaTests {
    @Test("A used-up daily quota pauses the key until midnight in California, and people see the time")
    func usedUpDay() async throws {
        try await WorkerFixture.run { fixture in
            fixture.simulator.gemini.recorder.add([FaultRule(fault: .perDay429)])
            try await fixture.withWorker("ai-worker") { process in
                let client = try process.providers.gemini().client(candidate: Secret("demo-gemini-key"))
                /// A pause is at most a day long, so on the 25-hour day it ends an hour before midnight.
                func end(_ now: Timestamp) -> Timestamp {
                    min(GeminiError.nextDay(after: now), now.advanced(by: RetryAfter.longest))
                }
                /// How many requests have arrived: more than one for a call if the machine is too busy to answer in time.
                func arrivals() -> Int {
                    fixture.simulator.gemini.recorder.log.endpoints.values.reduce(0) { $0 + $1.arrivals }
                }
                var arrived: [Int] = []
                // The first call is refused, and the second is not sent.
                for _ in 1...2 {
                    let before = Timestamp.now()
                    let failure = try await #require(throws: ProviderFailure.self) {
                        try await ProviderFailure.translating(.gemini) { try await client.verify() }
                    }
                    #expect(failure.kind == .quotaExhausted)
                    let until = try #require(failure.until)
                    #expect(until >= end(before).advanced(by: .seconds(-1)))
                    #expect(until <= end(.now()).advanced(by: .seconds(1)))
                    arrived.append(arrivals())
                }
                #expect(arrived[0] > 0 && arrived[1] == arrived[0])
            }
        }
    }

    @Test("Each model has its own limits of requests per minute, requests per day, and tokens")
    func limitsOfModels() async throws {
        try await WorkerFixture.run { fixture in
            try await fixture.withWorker("ai-worker") { process in
                let gemini = try process.providers.gemini()
                for model in ["gemini-a", "gemini-b"] {
                    let calls = try gemini.calls(key: Secret("demo-gemini-key"), model: model)
                    _ = try await calls.send(
                        UpstreamRequest(
                            path: "/models", secretHeaders: [("x-goog-api-key", Secret("demo-gemini-key"))],
                            weight: 700))
                }
                await process.providers.shutdown(by: .now().advanced(by: .seconds(5)))
                let permits = try await fixture.database.read { try $0.permits.permitStatus() }
                #expect(permits.count == 2 && Set(permits.map(\.key)).count == 2)
                #expect(permits.allSatisfy { $0.key.contains("/gemini-") && $0.requests == 10 })
                for status in permits {
                    let quotas = status.quotas.map { "\($0.quota.name): \($0.used) of \($0.quota.amount)" }
                    #expect(quotas == ["requestsPerDay: 1 of 250", "tokensPerMinute: 700 of 250000"])
                }
            }
        }
    }
}
