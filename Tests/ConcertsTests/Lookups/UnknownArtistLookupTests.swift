import Contracts
import Model
import Testing

@testable import Concerts

@Suite("Lookups of artists with an unknown attraction")
struct UnknownArtistLookupTests {
    /// The answer of a lookup of `Artist K1`.
    private func run(_ source: ScriptedSource) async throws -> ConcertAnswer {
        let answers = try await ConcertLookup(source: source).run(
            ConcertLookupPayload(artists: [.init(key: "artist:k1", name: "Artist K1", attractionID: nil)]))
        let answer = try #require(answers.first)
        #expect(answers.count == 1 && answer.targetKey == "artist:k1")
        return answer
    }

    @Test("A keyword search that fits into one page returns the id and events in one call")
    func keywordSearchInOneCall() async throws {
        let source = ScriptedSource { _ in .events(["a": ["K1"], "b": ["K2"], "c": ["K2", "K1"]]) }
        let answer = try await run(source)
        #expect(source.calls == ["keyword Artist K1"])
        #expect(answer.coverage == .complete && answer.attractionID == "K1" && answer.events.map(\.id) == ["a", "c"])
    }

    @Test("Spotify's id distinguishes an artist from a namesake on the bills")
    func namesakeOnTheBills() async throws {
        @Sendable func attraction(_ id: String, spotify: String?) -> ConcertAttraction {
            ConcertAttraction(id: id, name: "Air", spotifyIDs: spotify.map { [$0] } ?? [])
        }
        // The other Air is on the bills, and the right one is among the attractions, if Ticketmaster has it.
        for (others, expected) in [(["right"], "K-right"), ([], "K-other")] {
            let source = ScriptedSource { call in
                let id = call.hasPrefix("keyword") ? "K-other" : "K-right"
                return ConcertQueryResult(
                    events: [ConcertEvent(id: "e-\(id)", name: "Show", attractions: [.init(id: id, name: "Air")])],
                    attractions: [attraction("K-other", spotify: "other")])
            } attractions: { _ in
                others.map { attraction("K-\($0)", spotify: $0) }
            }
            let key = ConcertSearches.key(ofArtist: "Air", spotifyID: "right")
            let artist = ConcertLookupPayload.Artist(
                key: key, name: "Air", attractionID: nil, spotifyID: ConcertSearches.spotifyID(inKey: key))
            let answer = try await ConcertLookup(source: source).run(ConcertLookupPayload(artists: [artist])).first
            #expect(answer?.attractionID == expected && answer?.events.map(\.id) == ["e-\(expected)"])
        }
        // An artist without an id is searched for by name only.
        #expect(ConcertSearches.spotifyID(inKey: ConcertSearches.key(ofArtist: "Air")) == nil)
        #expect(ConcertSearches.key(ofArtist: "AIR") == ConcertSearches.key(ofArtist: "Air"))
    }

    @Test("A longer keyword search is followed by a call for the id; its own events are kept")
    func longKeywordSearch() async throws {
        let source = ScriptedSource { call in
            call.hasPrefix("keyword")
                ? .events(["a": ["K1"], "b": ["K2"], "c": ["K1"]], hasMore: true)
                : .events(["d": ["K1"], "a": ["K1"]])
        }
        let answer = try await run(source)
        #expect(source.calls == ["keyword Artist K1", "events K1 full"])
        #expect(answer.coverage == .complete && answer.attractionID == "K1")
        #expect(answer.events.map(\.id) == ["d", "a", "c"])
    }

    @Test("When the call for the id fails, the keyword's events are a partial answer, and the id is stored")
    func moreFails() async throws {
        let source = ScriptedSource { call in
            guard call.hasPrefix("keyword") else { throw ProviderFailure.ofAll }
            return .events(["a": ["K1"]], hasMore: true)
        }
        let answer = try await run(source)
        #expect(answer.coverage == .partial && answer.gap == .ofAll)
        #expect(answer.attractionID == "K1" && answer.events.map(\.id) == ["a"])
    }

    @Test("An artist on no bill is searched for among attractions")
    func artistOnNoBill() async throws {
        let source = ScriptedSource { call in
            call.hasPrefix("keyword") ? .events(["b": ["K2"]]) : .events(["a": ["K1"]], gap: .ofOne)
        } attractions: { _ in
            [ConcertAttraction(id: "K7", name: "Artist K1 Tribute"), ConcertAttraction(id: "K1", name: "ARTIST K1")]
        }
        let answer = try await run(source)
        #expect(source.calls == ["keyword Artist K1", "attractions Artist K1", "events K1 full"])
        #expect(answer.coverage == .partial && answer.gap == .ofOne)
        #expect(answer.attractionID == "K1" && answer.events.map(\.id) == ["a"])
    }

    @Test("A learned id is stored even if the call for its events fails")
    func attractionFails() async throws {
        let source = ScriptedSource { call in
            guard call.hasPrefix("keyword") else { throw ProviderFailure(.ticketmaster, .notReached, message: "") }
            return .events([:])
        } attractions: { _ in
            [ConcertAttraction(id: "K1", name: "Artist K1")]
        }
        let answer = try await run(source)
        #expect(answer.coverage == .failed && answer.gap == ProviderFailure(.ticketmaster, .notReached, message: ""))
        #expect(answer.attractionID == "K1" && answer.events.isEmpty)
    }

    @Test("An unknown name is a complete answer")
    func notFound() async throws {
        let source = ScriptedSource { _ in
            .events(["b": ["K2"]])
        } attractions: { _ in
            [ConcertAttraction(id: "K7", name: "Artist K1 Tribute")]
        }
        let answer = try await run(source)
        #expect(answer.coverage == .notFound && answer.warningCode == nil)
        #expect(answer.attractionID == nil && answer.events.isEmpty)
    }

    @Test("Events with the artist's name and without a bill are the artist's, even without an id")
    func eventsWithoutABill() async throws {
        let source = ScriptedSource { _ in
            ConcertQueryResult(
                events: [ConcertEvent(id: "a", name: "artist k1"), ConcertEvent(id: "b", name: "Artist K2")],
                attractions: [])
        } attractions: { _ in
            []
        }
        let answer = try await run(source)
        #expect(answer.coverage == .complete && answer.attractionID == nil && answer.events.map(\.id) == ["a"])
    }

    @Test("A failure of any call becomes an answer")
    func failureOfAnyCall() async throws {
        let quota = ProviderFailure(
            .ticketmaster, .quotaExhausted, until: Timestamp(microseconds: 1_800_000_000_000_000), message: "")
        let keyword = try await run(ScriptedSource { _ in throw quota })
        #expect(keyword.coverage == .failed && keyword.gap == quota && keyword.attractionID == nil)
        let search = try await run(
            ScriptedSource { _ in
                .events([:])
            } attractions: { _ in
                throw ProviderFailure(.ticketmaster, .rateLimited, message: "")
            })
        #expect(search.coverage == .failed && search.gap == ProviderFailure(.ticketmaster, .rateLimited, message: ""))
    }

    @Test("Cancellation is thrown from any call")
    func cancellationOfEveryCall() async {
        let sources = [
            ScriptedSource { _ in throw CancellationError() },
            ScriptedSource { _ in
                .events([:])
            } attractions: { _ in
                throw CancellationError()
            },
            ScriptedSource { call in
                guard call.hasPrefix("keyword") else { throw CancellationError() }
                return .events(["a": ["K1"]], hasMore: true)
            },
        ]
        for source in sources {
            await #expect(throws: CancellationError.self) { try await run(source) }
        }
    }

    @Test("Answers for known and unknown artists keep the payload's order, and a failure affects only one artist")
    func mixedAnswersKeepTheOrder() async throws {
        let source = ScriptedSource { call in
            switch call {
            case "keyword Lost": throw ProviderFailure(.ticketmaster, .notReached, message: "")
            case "keyword Artist K2": .events(["b": ["K2"]])
            default: .events(["a": ["K1"], "c": ["K3"]])
            }
        } attractions: { _ in
            []
        }
        let artists: [ConcertLookupPayload.Artist] = [
            .init(key: "3", name: "Artist K3", attractionID: "K3"), .init(key: "x", name: "Lost", attractionID: nil),
            .init(key: "2", name: "Artist K2", attractionID: nil),
            .init(key: "1", name: "Artist K1", attractionID: "K1"),
        ]
        let answers = try await ConcertLookup(source: source).run(ConcertLookupPayload(artists: artists))
        #expect(source.calls == ["events K3,K1 full", "keyword Lost", "keyword Artist K2"])
        #expect(answers.map(\.targetKey) == ["3", "x", "2", "1"])
        #expect(answers.map(\.coverage) == [.complete, .failed, .complete, .complete])
        #expect(answers.map { $0.events.map(\.id) } == [["c"], [], ["b"], ["a"]])
    }
}
