import Model
import PermitStorage
import Storage
import TestSupport
import Testing

@testable import Upstream

@Suite("Several limits of one key", .timeLimit(.minutes(5)))
struct PermitQuotaTests {
    private static let tokens = PermitQuota(name: "tokens", unit: .weight, amount: 100, window: .seconds(60))
    private static let requests = PermitQuota(name: "requests", unit: .requests, amount: 4, window: .seconds(60))

    @Test("A call is granted by every limit or by none")
    func everyLimitOrNone() async throws {
        try await PermitMachine.run([Self.tokens, Self.requests]) { (machine: inout PermitMachine) throws in
            _ = try machine.take(weight: 60)
            #expect(try !machine.isGranted(weight: 41))
            #expect(try machine.used("tokens") == 60 && machine.used("requests") == 1)
            for weight in [30, 5, 5] { #expect(try machine.isGranted(weight: weight)) }
            // There are slots and tokens, but the request limit is reached.
            #expect(try !machine.isGranted(weight: 0))
            #expect(try machine.used("tokens") == 100 && machine.used("requests") == 4)
            let slots = try machine.transaction.permits.permitSlots(of: PermitMachine.key.description, requests: 10)
            #expect(slots.count { $0.busyUntil > machine.clocks.now } == 4)
        }
    }

    @Test("The reported weight replaces the estimate, once")
    func reportedWeight() async throws {
        try await PermitMachine.run([Self.tokens]) { (machine: inout PermitMachine) throws in
            let first = try #require(try machine.take(weight: 80))
            #expect(try !machine.isGranted(weight: 30))
            try machine.end(first, weight: 30)
            try machine.end(first, weight: 0)
            #expect(try machine.used("tokens") == 30)
            let second = try #require(try machine.take(weight: 70))
            // The request was heavier than estimated, so nothing is granted until the quota has room again.
            try machine.end(second, weight: 90)
            #expect(try machine.used("tokens") == 120)
            #expect(try !machine.isGranted(weight: 1))
            machine.clocks.pass(.seconds(60) + .microseconds(1))
            #expect(try machine.isGranted(weight: 100))
        }
    }

    @Test("An unsent request does not count; an unanswered one counts until a window after its hard deadline")
    func unansweredRequests() async throws {
        try await PermitMachine.run([Self.tokens]) { (machine: inout PermitMachine) throws in
            let unused = try #require(try machine.take(weight: 100))
            _ = try machine.runTransaction(releases: [unused.release(.unused(at: machine.clocks.now))])
            #expect(try machine.used("tokens") == 0)
            _ = try #require(try machine.take(weight: 100))
            machine.clocks.pass(.seconds(71))
            #expect(try !machine.isGranted(weight: 1))
            machine.clocks.pass(.microseconds(1))
            #expect(try machine.isGranted(weight: 1))
        }
    }

    @Test("A request counts for a window from its answer, not from its grant")
    func answeredRequest() async throws {
        try await PermitMachine.run([Self.requests]) { (machine: inout PermitMachine) throws in
            let grants = try (0..<4).map { _ in try #require(try machine.take()) }
            machine.clocks.pass(.seconds(5))
            for grant in grants { try machine.end(grant) }
            machine.clocks.pass(.seconds(60))
            #expect(try !machine.isGranted())
            machine.clocks.pass(.microseconds(1))
            #expect(try machine.isGranted())
        }
    }

    @Test("An answer of 401 counts towards no quota")
    func refusedCredential() async throws {
        try await PermitMachine.run([Self.requests]) { (machine: inout PermitMachine) throws in
            let grant = try #require(try machine.take())
            try machine.end(grant, counts: false)
            #expect(try machine.used("requests") == 0)
        }
    }

    @Test("A whole call counts with the weight that its answer reports, and not at all if the answer is a 401")
    func wholeCalls() async throws {
        try await CallFixture.run(
            handler: { arrival in
                arrival.target == "/unknown" ? .answer(status: 401) : .answer(headers: ["Weight": "30"])
            }
        ) { fixture in
            let client = UpstreamClient(
                runtime: fixture.runtime, provider: "weighing", baseURL: try BaseURL(fixture.server.baseURL),
                credential: Secret("k"), limit: PermitLimit(requests: 20, window: .milliseconds(10)),
                // If such a long window has no room, calls fail at once.
                quotas: [PermitQuota(name: "tokens", unit: .weight, amount: 100, window: .seconds(7_200))],
                limits: TransferLimits(totalTimeout: .seconds(600)),
                weight: { answer in answer.headers["weight"].flatMap { Int($0) } })
            func used() async throws -> Int? {
                await client.permits.waitUntilIdle()
                let status = try await fixture.database.read { try $0.permits.permitStatus() }
                return status.first { $0.provider == "weighing" }?.quotas.first?.used
            }
            _ = try await client.send(UpstreamRequest(path: "/", weight: 80))
            #expect(try await used() == 30)
            _ = try await client.send(UpstreamRequest(path: "/unknown", weight: 60))
            #expect(try await used() == 30)
        }
    }

    @Test("A quarter of a quota is withheld from background calls; a heavier one is granted when nothing is used")
    func withheldQuota() async throws {
        try await PermitMachine.run([Self.tokens]) { (machine: inout PermitMachine) throws in
            #expect(try machine.isGranted(.background, weight: 90))
            machine.clocks.pass(.seconds(80))
            #expect(try machine.isGranted(.background, weight: 40))
            machine.clocks.pass(.seconds(1))
            #expect(try !machine.isGranted(.background, weight: 36))
            #expect(try machine.isGranted(.background, weight: 35))
            machine.clocks.pass(.seconds(1))
            #expect(try !machine.isGranted(.background, weight: 1))
            #expect(try machine.isGranted(.interactive, weight: 25))
        }
    }

    @Test("A light call does not overtake a heavy one of its class; background calls also wait")
    func orderOfWeights() async throws {
        try await PermitMachine.run([Self.tokens]) { (machine: inout PermitMachine) throws in
            _ = try #require(try machine.take(weight: 60))
            let (heavy, light, patient) = (machine.call(weight: 50), machine.call(weight: 1), machine.call(weight: 1))
            let outcome = try machine.runTransaction(interactive: [heavy, light], background: [patient])
            #expect(outcome.grants.isEmpty)
            // The answer to the first call may report less weight, and may reach another process.
            let look = try #require(outcome.nextLook)
            #expect(outcome.at.duration(to: look) == .seconds(1) + .microseconds(1))
        }
    }

    @Test("The next look is when enough grants have expired for the call to fit")
    func nextLook() async throws {
        try await PermitMachine.run([Self.tokens]) { (machine: inout PermitMachine) throws in
            for weight in [10, 20, 30] {
                let grant = try #require(try machine.take(weight: weight))
                try machine.end(grant)
                machine.clocks.pass(.seconds(10))
            }
            let heavy = machine.call(weight: 65)
            let outcome = try machine.runTransaction(interactive: [heavy])
            let look = try #require(outcome.nextLook)
            #expect(outcome.grants.isEmpty && outcome.exhausted == nil)
            // The first two, from thirty and twenty seconds ago, make room for 25.
            #expect(outcome.at.duration(to: look) == .seconds(40) + .microseconds(1))
            machine.clocks.pass(.seconds(40) + .microseconds(1))
            #expect(try machine.runTransaction(interactive: [heavy]).grants.count == 1)
        }
    }

    @Test("A call that weighs more than a quota allows is refused at once")
    func tooHeavy() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let queue = PermitQueue(
            key: PermitMachine.key, limit: PermitLimit(requests: 5, window: .milliseconds(10)), quotas: [Self.tokens],
            database: storage.database, process: "a")
        let error = await #expect(throws: UpstreamError.self) {
            try await queue.acquire(
                .interactive, weight: 101, totalTimeout: .seconds(1), waitLimit: .zero, deadline: nil)
        }
        #expect("\(error!)".contains("101") && "\(error!)".contains("tokens"))
    }
}
