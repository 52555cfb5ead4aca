import Contracts
import Model
import Synchronization
import Testing

@testable import Concerts

@Suite("Lookups of artists with a known attraction")
struct KnownArtistLookupTests {
    private func run(
        _ source: ScriptedSource, _ count: Int, now: @escaping @Sendable () -> MonotonicInstant = { .now() }
    ) async throws -> [ConcertAnswer] {
        let artists = (1...count).map {
            ConcertLookupPayload.Artist(key: "artist:\($0)", name: "Artist K\($0)", attractionID: "K\($0)")
        }
        return try await ConcertLookup(source: source, now: now).run(ConcertLookupPayload(artists: artists))
    }

    /// Each answer as target, coverage and events: `1 complete a,b`.
    private func summary(_ answers: [ConcertAnswer]) -> [String] {
        answers.map { answer in
            let target = answer.targetKey.dropFirst("artist:".count)
            return "\(target) \(answer.coverage.rawValue) \(answer.events.map(\.id).joined(separator: ","))"
        }
    }

    @Test("One call asks for all artists; each gets its own events, in the order of the payload")
    func oneCallForAllArtists() async throws {
        let source = ScriptedSource { _ in
            .events(["both": ["K3", "K1"], "first": ["K1"], "stranger": ["K9"], "blank": []])
        }
        let answers = try await run(source, 3)
        #expect(source.calls == ["events K1,K2,K3 full"])
        #expect(summary(answers) == ["1 complete both,first", "2 complete ", "3 complete both"])
        #expect(answers.map(\.attractionID) == ["K1", "K2", "K3"])
        #expect(answers.allSatisfy { $0.warningCode == nil })
    }

    @Test("A missing page makes all answers partial")
    func missingPage() async throws {
        let source = ScriptedSource { _ in .events(["a": ["K1"]], gap: .ofOne) }
        let answers = try await run(source, 2)
        #expect(summary(answers) == ["1 partial a", "2 partial "])
        #expect(answers.allSatisfy { $0.gap == .ofOne })
    }

    @Test("A failed call is split into halves, each tried once, until the failing artist is on its own")
    func halvedCalls() async throws {
        let source = ScriptedSource { call in
            if call.contains("K5") { throw ProviderFailure.ofOne }
            return .events(["a": ["K6"], "b": ["K1", "K8"]])
        }
        let answers = try await run(source, 8)
        #expect(
            source.calls == [
                "events K1,K2,K3,K4,K5,K6,K7,K8 full", "events K1,K2,K3,K4 once", "events K5,K6,K7,K8 once",
                "events K5,K6 once", "events K5 once", "events K6 once", "events K7,K8 once",
            ])
        #expect(
            summary(answers) == [
                "1 complete b", "2 complete ", "3 complete ", "4 complete ", "5 failed ", "6 complete a", "7 complete ",
                "8 complete b",
            ])
        #expect(answers[4].gap == .ofOne)
        // A failure does not confirm the id.
        #expect(answers[4].attractionID == nil)
    }

    @Test("The failing artist is found at any position, with two calls per split", arguments: [1, 4, 6, 8])
    func findingTheFailingArtist(number: Int) async throws {
        let source = ScriptedSource { call in
            if call.contains("K\(number)") { throw ProviderFailure(.ticketmaster, .serverError, message: "") }
            return .events([:])
        }
        let answers = try await run(source, 8)
        #expect(source.calls.count == 7)
        #expect(answers.indices.filter { answers[$0].coverage == .failed } == [number - 1])
        #expect(answers.count { $0.coverage == .complete } == 7)
    }

    @Test(
        "A failure that no single artist causes is not split",
        arguments: [
            ProviderFailure.ofAll, ProviderFailure(.ticketmaster, .serverError, outcome: .notSent, message: ""),
            ProviderFailure(.ticketmaster, .rateLimited, message: ""),
            ProviderFailure(.ticketmaster, .credentialMissing, message: ""),
            ProviderFailure(.ticketmaster, .keyRefused, message: ""),
            ProviderFailure(
                .ticketmaster, .quotaExhausted, until: Timestamp(microseconds: 1_800_000_000_000_000), message: ""),
        ])
    func generalFailure(trouble: ProviderFailure) async throws {
        let source = ScriptedSource { _ in throw trouble }
        let answers = try await run(source, 4)
        #expect(source.calls.count == 1)
        #expect(summary(answers) == ["1 failed ", "2 failed ", "3 failed ", "4 failed "])
        #expect(answers.allSatisfy { $0.gap == trouble })
    }

    @Test("Splitting ends when the upstream as a whole fails")
    func turnsGeneral() async throws {
        let source = ScriptedSource { call in
            throw call.hasSuffix("full")
                ? ProviderFailure(.ticketmaster, .notReached, message: "") : ProviderFailure.ofAll
        }
        let answers = try await run(source, 8)
        #expect(
            source.calls == [
                "events K1,K2,K3,K4,K5,K6,K7,K8 full", "events K1,K2,K3,K4 once", "events K5,K6,K7,K8 once",
            ])
        #expect(answers.allSatisfy { $0.coverage == .failed && $0.gap == .ofAll })
    }

    @Test("Nothing is split two minutes after the first call began")
    func timeLimitOfSplitting() async throws {
        let clock = Mutex(MonotonicInstant(microseconds: 0))
        let source = ScriptedSource { call in
            // The second half is not split again, because it is too late.
            let takes = call.hasSuffix("full") ? 100 : call.contains("K5") ? 20 : 0
            clock.withLock { $0 = $0.advanced(by: .seconds(takes)) }
            throw ProviderFailure.ofOne
        }
        let answers = try await run(source, 8) { clock.withLock { $0 } }
        #expect(
            source.calls == [
                "events K1,K2,K3,K4,K5,K6,K7,K8 full", "events K1,K2,K3,K4 once", "events K1,K2 once",
                "events K1 once", "events K2 once", "events K3,K4 once", "events K3 once", "events K4 once",
                "events K5,K6,K7,K8 once",
            ])
        #expect(answers.count == 8 && answers.allSatisfy { $0.coverage == .failed && $0.gap == .ofOne })
    }

    @Test("Cancellation, and errors other than a provider's failure, are thrown")
    func otherErrors() async {
        struct Odd: Error {}
        await #expect(throws: CancellationError.self) {
            try await run(ScriptedSource { _ in throw CancellationError() }, 2)
        }
        await #expect(throws: Odd.self) { try await run(ScriptedSource { _ in throw Odd() }, 2) }
        // The same in the calls for the halves.
        await #expect(throws: CancellationError.self) {
            try await run(
                ScriptedSource { call in
                    if call.hasSuffix("full") { throw ProviderFailure.ofOne }
                    throw CancellationError()
                }, 4)
        }
    }

    // MARK: Names

    private static func named(_ number: Int, searchesName: Bool = true) -> ConcertLookupPayload.Artist {
        .init(
            key: "artist:\(number)", name: "Artist K\(number)", attractionID: "K\(number)", searchesName: searchesName)
    }

    private static func billless(_ name: String) -> ConcertEvent { ConcertEvent(id: name, name: name) }

    @Test("A name that is due costs one call, and adds the shows without a bill")
    func dueName() async throws {
        let source = ScriptedSource { call in
            guard call.hasPrefix("keyword") else { return .events(["a": ["K1"], "b": ["K2"]]) }
            return ConcertQueryResult(
                events: [
                    Self.billless("Artist K2"), Self.billless("Artist K2: Live"), Self.billless("Artist K2 Tribute"),
                    ConcertEvent(id: "b", name: "Again", attractions: [.init(id: "K2", name: "Artist K2")]),
                    ConcertEvent(id: "x", name: "Artist K2", attractions: [.init(id: "K9", name: "Artist K2")]),
                ], attractions: [])
        }
        let answers = try await ConcertLookup(source: source).run(
            ConcertLookupPayload(artists: [Self.named(1, searchesName: false), Self.named(2)]))
        #expect(source.calls == ["events K1,K2 full", "keyword Artist K2"])
        #expect(summary(answers) == ["1 complete a", "2 complete b,Artist K2,Artist K2: Live"])
        #expect(answers.map(\.nameSearch) == [.none, .complete])
    }

    @Test("A failed search by name removes nothing from the answer")
    func nameFails() async throws {
        let source = ScriptedSource { call in
            if call.hasPrefix("keyword") { throw ProviderFailure.ofOne }
            return .events(["a": ["K1"]])
        }
        let answers = try await ConcertLookup(source: source).run(ConcertLookupPayload(artists: [Self.named(1)]))
        #expect(summary(answers) == ["1 complete a"])
        #expect(answers.allSatisfy { $0.warningCode == nil && $0.nameSearch == .none })
    }

    @Test("Shows without a bill that a namesake's name finds are left out")
    func namesakesAreLeftOut() async throws {
        let source = ScriptedSource { call in
            guard call.hasPrefix("keyword") else { return .events([:]) }
            return ConcertQueryResult(
                events: [Self.billless("Artist K1")],
                attractions: [ConcertAttraction(id: "K9", name: "Artist K1", spotifyIDs: ["other"])])
        }
        var artist = Self.named(1)
        for (spotifyID, events) in [("own", 0), (nil, 1)] {
            artist.spotifyID = spotifyID
            let answers = try await ConcertLookup(source: source).run(ConcertLookupPayload(artists: [artist]))
            #expect(answers.first?.events.count == events)
        }
    }
}
