import Model
import Testing

@testable import Concerts

/// Answers calls when the test says so, with one event per attraction.
private actor Upstream {
    /// The attractions of each sent call.
    private(set) var calls: [[String]] = []
    /// The person for whom each sent call counted.
    private(set) var people: [String?] = []
    /// How many calls have requested a permit.
    private(set) var requestedPermits = 0

    private var unanswered: [CheckedContinuation<Void, any Error>] = []
    private var grantsPermits = true
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var refusal: ProviderFailure?
    private var peopleWithoutShare: Set<String> = []

    func events(
        for person: String?, _ attractions: @Sendable () throws -> [String]
    ) async throws -> ConcertQueryResult {
        requestedPermits += 1
        if !grantsPermits { await withCheckedContinuation { waiting.append($0) } }
        try Task.checkCancellation()
        if let refusal { throw refusal }
        if let person, peopleWithoutShare.contains(person) { throw SharedEventCallsTests.shareUsed }
        let ids = try attractions()
        calls.append(ids)
        people.append(person)
        try await withCheckedThrowingContinuation { unanswered.append($0) }
        let events = ids.map { ConcertEvent(id: "event of \($0)", name: $0, attractions: [.init(id: $0, name: $0)]) }
        return ConcertQueryResult(events: events, attractions: [])
    }

    func withholdPermits() { grantsPermits = false }

    func useUpShare(of people: String...) { peopleWithoutShare.formUnion(people) }

    /// Grants permits to the calls that wait for one, or refuses them.
    func grantPermits(refusing refusal: ProviderFailure? = nil) {
        self.refusal = refusal
        grantsPermits = true
        for call in waiting { call.resume() }
        waiting = []
    }

    /// Waits until this many calls have requested a permit.
    func untilRequestedPermits(_ count: Int) async {
        while requestedPermits < count { await Task.yield() }
    }

    func answer() { unanswered.removeFirst().resume() }

    func refuse(_ error: any Error) { unanswered.removeFirst().resume(throwing: error) }

    /// Waits until this many calls were sent.
    func untilCalls(_ count: Int) async {
        while calls.count < count { await Task.yield() }
    }
}

@Suite("Shared calls for events", .timeLimit(.minutes(5)))
struct SharedEventCallsTests {
    private static let quota = ProviderFailure(.ticketmaster, .quotaExhausted, message: "")
    static let shareUsed = ProviderFailure(.ticketmaster, .shareUsed, message: "")
    private static let unreadable = ProviderFailure(.ticketmaster, .unreadable, message: "")

    private let upstream = Upstream()
    private let calls: SharedEventCalls

    init() {
        calls = SharedEventCalls(maximum: 4) { [upstream] in try await upstream.events(for: $0, $1) }
    }

    private func ask(_ ids: String..., for person: String? = nil) -> Task<[String], any Error> {
        Task { try await calls.events(of: ids, for: person).events.map(\.id) }
    }

    private func untilWaiting(_ count: Int) async {
        while calls.waitingCount != count { await Task.yield() }
    }

    @Test("The first question is sent at once; later ones share the next call, and each gets its own events")
    func questionsShareACall() async throws {
        let first = ask("a")
        await upstream.untilCalls(1)
        let second = ask("b", "c")
        await untilWaiting(1)
        let third = ask("c", "d")
        await untilWaiting(2)
        await upstream.answer()
        await upstream.untilCalls(2)
        await upstream.answer()
        #expect(try await first.value == ["event of a"])
        #expect(try await second.value == ["event of b", "event of c"])
        #expect(try await third.value == ["event of c", "event of d"])
        #expect(await upstream.calls == [["a"], ["b", "c", "d"]])
    }

    @Test("A call takes as many questions as fit; the others wait for the next call")
    func maximumOfQuestions() async throws {
        let first = ask("a")
        await upstream.untilCalls(1)
        var others: [Task<[String], any Error>] = []
        for (number, ids) in [("b", "c"), ("d", "e"), ("f", "g")].enumerated() {
            others.append(ask(ids.0, ids.1))
            await untilWaiting(number + 1)
        }
        for count in 1...3 {
            await upstream.untilCalls(count)
            await upstream.answer()
        }
        _ = try await first.value
        for other in others { #expect(try await other.value.count == 2) }
        #expect(await upstream.calls == [["a"], ["b", "c", "d", "e"], ["f", "g"]])
    }

    @Test("Lookups of 2,338 known artists that wait for permits cost 47 calls: fifty per call, every artist once")
    func fullCalls() async throws {
        let calls = SharedEventCalls { [upstream] in try await upstream.events(for: $0, $1) }
        await upstream.withholdPermits()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<2_338 {
                group.addTask {
                    try await calls.events(of: ["artist \(number)"], for: "person \(number % 200)").events.count
                }
            }
            while calls.waitingCount < 2_338 { await Task.yield() }
            await upstream.grantPermits()
            for count in 1...47 {
                await upstream.untilCalls(count)
                await upstream.answer()
            }
            for try await count in group { #expect(count == 1) }
        }
        let sent = await upstream.calls
        #expect(sent.map(\.count) == Array(repeating: 50, count: 46) + [38])
        #expect(Set(sent.joined()).count == 2_338)
    }

    @Test("A question that arrives while a call waits for its permit joins that call")
    func joiningAWaitingCall() async throws {
        await upstream.withholdPermits()
        let first = ask("a")
        await upstream.untilRequestedPermits(1)
        let second = ask("b", "c")
        await untilWaiting(2)
        await upstream.grantPermits()
        await upstream.untilCalls(1)
        await upstream.answer()
        #expect(try await first.value == ["event of a"])
        #expect(try await second.value == ["event of b", "event of c"])
        #expect(await upstream.calls == [["a", "b", "c"]])
    }

    @Test("A call that gets no permit fails the questions that it would have taken")
    func callWithoutAPermit() async throws {
        await upstream.withholdPermits()
        let first = ask("a")
        await upstream.untilRequestedPermits(1)
        let second = ask("b")
        await untilWaiting(2)
        await upstream.grantPermits(refusing: Self.quota)
        await #expect(throws: Self.quota) { try await first.value }
        await #expect(throws: Self.quota) { try await second.value }
        #expect(await upstream.calls.isEmpty)
    }

    @Test("A call whose questions are all cancelled is not sent, and a later question gets another call")
    func callWithoutQuestions() async throws {
        await upstream.withholdPermits()
        let first = ask("a")
        await upstream.untilRequestedPermits(1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = ask("b")
        await untilWaiting(1)
        await upstream.grantPermits()
        await upstream.untilCalls(1)
        await upstream.answer()
        #expect(try await second.value == ["event of b"])
        #expect(await upstream.calls == [["b"]])
    }

    @Test("A failing call fails its own questions and no others")
    func failureOfACall() async throws {
        let first = ask("a")
        await upstream.untilCalls(1)
        let second = ask("b")
        await untilWaiting(1)
        await upstream.refuse(Self.unreadable)
        await upstream.untilCalls(2)
        await upstream.answer()
        await #expect(throws: Self.unreadable) { try await first.value }
        #expect(try await second.value == ["event of b"])
    }

    @Test("A cancelled question ends at once; the other questions of its call are answered")
    func cancelledQuestion() async throws {
        let first = ask("a")
        await upstream.untilCalls(1)
        let second = ask("b")
        await untilWaiting(1)
        let third = ask("c")
        await untilWaiting(2)
        await upstream.answer()
        await upstream.untilCalls(2)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let late = ask("d")
        await untilWaiting(1)
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        await upstream.answer()
        #expect(try await first.value == ["event of a"])
        #expect(try await third.value == ["event of c"])
        #expect(await upstream.calls == [["a"], ["b", "c"]])
    }

    @Test("People are served round robin: one person's many questions do not delay another person's first")
    func roundRobinOfPeople() async throws {
        await upstream.withholdPermits()
        var adas: [Task<[String], any Error>] = []
        for number in 0..<6 {
            adas.append(ask("a\(number)", "A\(number)", for: "ada"))
            await untilWaiting(number + 1)
        }
        let bobs = ask("b", for: "bob")
        await untilWaiting(7)
        await upstream.grantPermits()
        for count in 1...4 {
            await upstream.untilCalls(count)
            await upstream.answer()
        }
        #expect(try await bobs.value == ["event of b"])
        for ada in adas { #expect(try await ada.value.count == 2) }
        let sent = await upstream.calls
        #expect(sent.first == ["a0", "A0", "b"])
        #expect(sent.dropFirst().flatMap(\.self) == (1..<6).flatMap { ["a\($0)", "A\($0)"] })
    }

    @Test("A call counts for the person whose question started it")
    func callCountsForItsFirstPerson() async throws {
        await upstream.withholdPermits()
        let adas = ask("a", for: "ada")
        await upstream.untilRequestedPermits(1)
        let bobs = ask("b", for: "bob")
        await untilWaiting(2)
        await upstream.grantPermits()
        await upstream.untilCalls(1)
        await upstream.answer()
        _ = try await (adas.value, bobs.value)
        #expect(await upstream.calls == [["a", "b"]])
        #expect(await upstream.people == ["ada"])
    }

    @Test("When a person's share is used up, only their questions fail; the others join another call")
    func shareUsed() async throws {
        await upstream.useUpShare(of: "ada")
        await upstream.withholdPermits()
        let adas = [ask("a", for: "ada")]
        await upstream.untilRequestedPermits(1)
        let bobs = ask("b", for: "bob")
        await untilWaiting(2)
        let more = ask("c", for: "ada")
        await untilWaiting(3)
        await upstream.grantPermits()
        await upstream.untilCalls(1)
        await upstream.answer()
        for question in adas + [more] {
            await #expect(throws: Self.shareUsed) { try await question.value }
        }
        #expect(try await bobs.value == ["event of b"])
        #expect(await upstream.calls == [["b"]])
        #expect(await upstream.people == ["bob"])
    }
}
