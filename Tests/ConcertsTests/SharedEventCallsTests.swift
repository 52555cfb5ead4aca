import Model
import Testing

@testable import Concerts

/// Answers calls when the test says so, with one event for each attraction.
private actor Upstream {
    private(set) var calls: [[String]] = []
    private var open: [CheckedContinuation<Void, any Error>] = []

    private var isOpen = true
    private var queue: [CheckedContinuation<Void, Never>] = []
    private(set) var comings = 0
    private var refusal: ProviderFailure?
    /// Whose share is used up.
    private var refused: Set<String> = []
    /// For whom each call that left counted.
    private(set) var people: [String?] = []

    func events(
        for person: String?, _ boarding: @Sendable () throws -> [String]
    ) async throws -> ConcertSource.Found {
        comings += 1
        if !isOpen { await withCheckedContinuation { queue.append($0) } }
        try Task.checkCancellation()
        if let refusal { throw refusal }
        if let person, refused.contains(person) { throw SharedEventCallsTests.shareUsed }
        let ids = try boarding()
        calls.append(ids)
        people.append(person)
        try await withCheckedThrowingContinuation { open.append($0) }
        let events = ids.map { ConcertEvent(id: "event of \($0)", name: $0, attractions: [.init(id: $0, name: $0)]) }
        return ConcertSource.Found(events: events, attractions: [])
    }

    /// Calls may not leave from now on.
    func hold() { isOpen = false }

    /// The share of these people is used up.
    func useUpShare(of people: String...) { refused.formUnion(people) }

    /// Lets the calls leave, or refuses them.
    func letGo(refusing refusal: ProviderFailure? = nil) {
        self.refusal = refusal
        isOpen = true
        for call in queue { call.resume() }
        queue = []
    }

    /// Until so many calls have asked to leave.
    func comings(_ count: Int) async {
        while comings < count { await Task.yield() }
    }

    func answer() { open.removeFirst().resume() }

    func refuse(_ error: any Error) { open.removeFirst().resume(throwing: error) }

    /// Until so many calls have come.
    func calls(_ count: Int) async {
        while calls.count < count { await Task.yield() }
    }
}

@Suite("Calls for events that are shared", .timeLimit(.minutes(5)))
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

    @Test("The first asks at once; who comes meanwhile shares the next call, and each is given its own events")
    func shared() async throws {
        let first = ask("a")
        await upstream.calls(1)
        let second = ask("b", "c")
        await untilWaiting(1)
        let third = ask("c", "d")
        await untilWaiting(2)
        await upstream.answer()
        await upstream.calls(2)
        await upstream.answer()
        #expect(try await first.value == ["event of a"])
        #expect(try await second.value == ["event of b", "event of c"])
        #expect(try await third.value == ["event of c", "event of d"])
        #expect(await upstream.calls == [["a"], ["b", "c", "d"]])
    }

    @Test("A call is for no more attractions than fit; the others wait for the one after it")
    func maximum() async throws {
        let first = ask("a")
        await upstream.calls(1)
        var others: [Task<[String], any Error>] = []
        for (number, ids) in [("b", "c"), ("d", "e"), ("f", "g")].enumerated() {
            others.append(ask(ids.0, ids.1))
            await untilWaiting(number + 1)
        }
        for count in 1...3 {
            await upstream.calls(count)
            await upstream.answer()
        }
        _ = try await first.value
        for other in others { #expect(try await other.value.count == 2) }
        #expect(await upstream.calls == [["a"], ["b", "c", "d", "e"], ["f", "g"]])
    }

    @Test("Who comes while a call waits for its turn goes with it, and waits for no call of its own")
    func boarding() async throws {
        await upstream.hold()
        let first = ask("a")
        await upstream.comings(1)
        let second = ask("b", "c")
        await untilWaiting(2)
        await upstream.letGo()
        await upstream.calls(1)
        await upstream.answer()
        #expect(try await first.value == ["event of a"])
        #expect(try await second.value == ["event of b", "event of c"])
        #expect(await upstream.calls == [["a", "b", "c"]])
    }

    @Test("A call that may not leave fails for those that wait for it")
    func refused() async throws {
        await upstream.hold()
        let first = ask("a")
        await upstream.comings(1)
        let second = ask("b")
        await untilWaiting(2)
        await upstream.letGo(refusing: Self.quota)
        await #expect(throws: Self.quota) { try await first.value }
        await #expect(throws: Self.quota) { try await second.value }
        #expect(await upstream.calls.isEmpty)
    }

    @Test("A call that nobody wants any more does not leave, and who comes later is given another")
    func abandoned() async throws {
        await upstream.hold()
        let first = ask("a")
        await upstream.comings(1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = ask("b")
        await untilWaiting(1)
        await upstream.letGo()
        await upstream.calls(1)
        await upstream.answer()
        #expect(try await second.value == ["event of b"])
        #expect(await upstream.calls == [["b"]])
    }

    @Test("A call that fails does so for those it was for, and for nobody else")
    func failure() async throws {
        let first = ask("a")
        await upstream.calls(1)
        let second = ask("b")
        await untilWaiting(1)
        await upstream.refuse(Self.unreadable)
        await upstream.calls(2)
        await upstream.answer()
        await #expect(throws: Self.unreadable) { try await first.value }
        #expect(try await second.value == ["event of b"])
    }

    @Test("Who is cancelled waits no longer; the others of the same call are answered")
    func cancelled() async throws {
        let first = ask("a")
        await upstream.calls(1)
        let second = ask("b")
        await untilWaiting(1)
        let third = ask("c")
        await untilWaiting(2)
        await upstream.answer()
        await upstream.calls(2)
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

    @Test("People take turns: another's first question goes before the rest of somebody's many")
    func turns() async throws {
        await upstream.hold()
        var adas: [Task<[String], any Error>] = []
        for number in 0..<6 {
            adas.append(ask("a\(number)", "A\(number)", for: "ada"))
            await untilWaiting(number + 1)
        }
        let bobs = ask("b", for: "bob")
        await untilWaiting(7)
        await upstream.letGo()
        for count in 1...4 {
            await upstream.calls(count)
            await upstream.answer()
        }
        #expect(try await bobs.value == ["event of b"])
        for ada in adas { #expect(try await ada.value.count == 2) }
        let boarded = await upstream.calls
        #expect(boarded.first == ["a0", "A0", "b"])
        #expect(boarded.dropFirst().flatMap(\.self) == (1..<6).flatMap { ["a\($0)", "A\($0)"] })
    }

    @Test("A call counts for whoever's question began it, whoever shares it")
    func counted() async throws {
        await upstream.hold()
        let adas = ask("a", for: "ada")
        await upstream.comings(1)
        let bobs = ask("b", for: "bob")
        await untilWaiting(2)
        await upstream.letGo()
        await upstream.calls(1)
        await upstream.answer()
        _ = try await (adas.value, bobs.value)
        #expect(await upstream.calls == [["a", "b"]])
        #expect(await upstream.people == ["ada"])
    }

    @Test("Where a person's share is used up, their questions alone fail; the others go with another call")
    func shareUsed() async throws {
        await upstream.useUpShare(of: "ada")
        await upstream.hold()
        let adas = [ask("a", for: "ada")]
        await upstream.comings(1)
        let bobs = ask("b", for: "bob")
        await untilWaiting(2)
        let more = ask("c", for: "ada")
        await untilWaiting(3)
        await upstream.letGo()
        await upstream.calls(1)
        await upstream.answer()
        for question in adas + [more] {
            await #expect(throws: Self.shareUsed) { try await question.value }
        }
        #expect(try await bobs.value == ["event of b"])
        #expect(await upstream.calls == [["b"]])
        #expect(await upstream.people == ["bob"])
    }
}
