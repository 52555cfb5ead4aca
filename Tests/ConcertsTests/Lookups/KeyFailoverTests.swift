import Model
import TestSupport
import Testing

@testable import Concerts

@Suite("Several keys for one source", .timeLimit(.minutes(5)))
struct KeyFailoverTests {
    /// Some keys, by number from 0 on, each of which answers as a test says.
    private final class Keys: Sendable {
        /// `made 0`, `asked 0`, `refused 0` in the order in which it came.
        let log = Collector<String>()
        private let answers: [@Sendable () async throws -> ConcertSource.Found]

        init(_ answers: (@Sendable () async throws -> ConcertSource.Found)...) {
            self.answers = answers
        }

        var source: ConcertSource {
            .taking(
                answers.enumerated().map { number, answer in
                    .init { [log] in
                        log.append("made \(number)")
                        return ScriptedSource { _ in
                            log.append("asked \(number)")
                            return try await answer()
                        } attractions: { _ in
                            log.append("asked \(number)")
                            _ = try await answer()
                            return [ConcertAttraction(id: "of \(number)", name: "x")]
                        }.source
                    } onRefusal: { [log] in
                        log.append("refused \(number)")
                    }
                })
        }

        var entries: [String] { log.elements.filter { !$0.hasPrefix("made") } }
    }

    private static let refused: @Sendable () throws -> ConcertSource.Found = {
        throw ProviderFailure(.ticketmaster, .keyRefused, message: "")
    }
    private static let exhausted: @Sendable () throws -> ConcertSource.Found = {
        throw ProviderFailure(.ticketmaster, .quotaExhausted, until: Timestamp(microseconds: 1), message: "")
    }

    @Test("The first key is asked with, and no source is made with another")
    func first() async throws {
        let keys = Keys({ .events(["a": []]) }, Self.refused)
        #expect(try await keys.source.eventsByKeyword("x").events.map(\.id) == ["a"])
        #expect(keys.log.elements == ["made 0", "asked 0"])
    }

    @Test("A refused key makes way for good, and its owner is told of; one that is used up makes way in silence")
    func failover() async throws {
        let keys = Keys(Self.refused, Self.exhausted, { .events(["c": []]) })
        let source = keys.source
        #expect(try await source.eventsByKeyword("x").events.map(\.id) == ["c"])
        #expect(keys.entries == ["asked 0", "refused 0", "asked 1", "asked 2"])
        _ = try await source.eventsInCity("x")
        #expect(keys.entries.dropFirst(4) == ["asked 2"])
        // Another lookup begins with the first again.
        _ = try await keys.source.eventsInCity("x")
        #expect(keys.entries.dropFirst(5).first == "asked 0")
    }

    @Test("A key that is missing makes way like one that is used up")
    func missing() async throws {
        let keys = Keys({ throw ProviderFailure(.ticketmaster, .credentialMissing, message: "") }, { .events([:]) })
        _ = try await keys.source.eventsByKeyword("x")
        #expect(keys.entries == ["asked 0", "asked 1"])
    }

    @Test("The last key's trouble is the answer, and it is asked with again the next time")
    func last() async {
        let keys = Keys(Self.exhausted, Self.refused)
        let source = keys.source
        for _ in 0..<2 {
            await #expect(throws: ProviderFailure(.ticketmaster, .keyRefused, message: "")) {
                try await source.eventsByKeyword("x")
            }
        }
        #expect(keys.entries == ["asked 0", "asked 1", "refused 1", "asked 1", "refused 1"])
    }

    @Test(
        "Trouble that another key would meet as well moves nothing on",
        arguments: [
            ProviderFailure(.ticketmaster, .notReached, message: ""),
            ProviderFailure(.ticketmaster, .serverError, message: ""),
            ProviderFailure(.ticketmaster, .unreadable, message: ""),
            ProviderFailure(.ticketmaster, .rateLimited, message: ""),
        ])
    func otherTrouble(trouble: ProviderFailure) async {
        let keys = Keys({ throw trouble }, { .events([:]) })
        let source = keys.source
        for _ in 0..<2 { await #expect(throws: trouble) { try await source.eventsByKeyword("x") } }
        #expect(keys.entries == ["asked 0", "asked 0"])
    }

    @Test("Being cancelled moves nothing on either")
    func cancellation() async {
        let keys = Keys({ throw CancellationError() }, { .events([:]) })
        let source = keys.source
        await #expect(throws: CancellationError.self) { try await source.eventsByKeyword("x") }
        #expect(keys.entries == ["asked 0"])
    }

    @Test("Of calls that fail together with one key, all go on with the next one, and none with that after it")
    func together() async throws {
        let asked = Collector<Void>()
        let keys = Keys(
            {
                asked.append(())
                await asked.wait(for: 2)
                throw ProviderFailure(.ticketmaster, .keyRefused, message: "")
            }, { .events(["b": []]) }, { .events(["c": []]) })
        let source = keys.source
        async let one = source.eventsByKeyword("x")
        async let other = source.eventsInCity("x")
        let found = try await [one, other].flatMap(\.events).map(\.id)
        #expect(found == ["b", "b"])
        #expect(keys.entries.count { $0 == "asked 0" } == 2 && keys.entries.count { $0 == "asked 1" } == 2)
    }

    @Test("Each kind of call goes on with the next key")
    func kinds() async throws {
        func keys() -> Keys { Keys(Self.refused, { .events(["b": []]) }) }
        #expect(try await keys().source.eventsByKeyword("x").events.map(\.id) == ["b"])
        #expect(try await keys().source.eventsByAttractions(["x"], .once).events.map(\.id) == ["b"])
        #expect(try await keys().source.attractions("x").map(\.id) == ["of 1"])
        #expect(try await keys().source.eventsInCity("x").events.map(\.id) == ["b"])
        let point = try #require(GeoPoint(latitude: 1, longitude: 2))
        #expect(try await keys().source.eventsNear(point, 3).events.map(\.id) == ["b"])
    }
}
