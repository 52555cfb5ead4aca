import Contracts
import Model
import Storage
import TestSupport
import Testing

@testable import Concerts

@Suite("Shows that are found by name")
struct FoundByNameTests {
    private static let key = ConcertSearches.key(ofArtist: "Air")

    /// The answer of a lookup: `billed` has the artist's attraction on its bill, `bare` has no bill.
    private func answer(
        billed: [String] = [], bare: [String] = [], nameSearch: ConcertAnswer.NameSearch, gap: ProviderFailure? = nil
    ) -> ConcertAnswer {
        let events =
            billed.map { ConcertEvent(id: $0, name: "Air", attractions: [.init(id: "K1", name: "Air")]) }
            + bare.map { ConcertEvent(id: $0, name: "Air") }
        return ConcertAnswer(
            targetKey: Self.key, attractionID: "K1", events: events, gap: gap, nameSearch: nameSearch)
    }

    private func store(_ answer: ConcertAnswer, daysAgo: Int = 0, in database: Database) async throws {
        let now = Timestamp.now().advanced(by: .seconds(-86_400 * daysAgo))
        try await database.write { try answer.store(jobID: "job", now: now, in: $0) }
    }

    private func stored(in database: Database) async throws -> [String] {
        try await database.read { try $0.concerts.events(targetKey: Self.key).map(\.id) }
    }

    @Test("They stay when later lookups ask for the attraction, until a search by name no longer finds them")
    func foundShowsRemain() async throws {
        try await withDatabase { database, _ in
            let first = answer(billed: ["a", "b"], bare: ["x", "y"], nameSearch: .complete)
            try await store(first, in: database)
            #expect(try await stored(in: database) == ["a", "b", "x", "y"])
            try await store(answer(billed: ["b", "c"], nameSearch: .none), in: database)
            #expect(try await stored(in: database) == ["b", "c", "x", "y"])
            let failed = ConcertAnswer(
                targetKey: Self.key, attractionID: nil, events: [], gap: .ofOne, hasFailed: true)
            try await store(failed, in: database)
            #expect(try await stored(in: database) == ["b", "c", "x", "y"])
            let partial = answer(billed: ["d"], nameSearch: .none, gap: .ofOne)
            try await store(partial, in: database)
            #expect(try await stored(in: database) == ["b", "c", "d", "x", "y"])
            // From now on, a show that gets a bill belongs to the attraction.
            try await store(answer(billed: ["x"], nameSearch: .none), in: database)
            #expect(try await stored(in: database) == ["x", "y"])
            try await store(answer(nameSearch: .none), in: database)
            #expect(try await stored(in: database) == ["y"])
            try await store(answer(bare: ["z"], nameSearch: .complete), in: database)
            #expect(try await stored(in: database) == ["z"])
        }
    }

    @Test("A search with more results than requested only removes shows that were not found for a month")
    func moreResults() async throws {
        try await withDatabase { database, _ in
            try await store(answer(bare: ["old"], nameSearch: .complete), daysAgo: 31, in: database)
            let recent = answer(bare: ["recent"], nameSearch: .partial)
            try await store(recent, daysAgo: 5, in: database)
            #expect(try await stored(in: database) == ["old", "recent"])
            try await store(answer(bare: ["new"], nameSearch: .partial), in: database)
            #expect(try await stored(in: database) == ["new", "recent"])
        }
    }

    @Test("A lookup searches for at most five names, and for each of them every three days")
    func dueSearchesByName() async throws {
        try await withDatabase { database, _ in
            let searches = ConcertSearches(freshness: .zero)
            let names = (1...7).map { "Artist \($0)" }
            let artists = names.enumerated().map { RankedArtist(id: $1, name: $1, rank: $0 + 1) }
            try await database.write { transaction in
                for (index, name) in names.enumerated() {
                    try transaction.concerts.storeAnswer(
                        targetKey: ConcertSearches.key(ofArtist: name), status: "complete", warningCode: nil,
                        attractionID: "K\(index)", events: [], reach: .attraction, searchedName: index < 2,
                        now: .now().advanced(by: .seconds(index == 0 ? -60 : -4 * 86_400)))
                }
            }
            let begun = try await database.write { transaction in
                try searches.begin(artists, homeCity: nil, userID: "ada", in: transaction)
            }
            #expect(begun.lookups.count == 1)
            guard case .artists(let payload)? = begun.lookups.first?.payload else {
                Issue.record("The lookup is not for artists")
                return
            }
            // Never searched for: 3 to 7; then 2, four days ago, which has to wait; 1 was searched for a minute ago.
            #expect(payload.artists.filter { $0.searchesName == true }.map(\.name) == Array(names[2...]))
        }
    }

    @Test("A change of what calendars show is counted; repeating the same announcement is not")
    func changesOfShownValues() async throws {
        try await withDatabase { database, _ in
            func history(of event: ConcertEvent, at now: Timestamp) async throws -> ConcertEvent.History? {
                let answer = ConcertAnswer(
                    targetKey: Self.key, attractionID: "K1", events: [event], gap: nil, nameSearch: .complete)
                try await database.write { try answer.store(jobID: "job", now: now, in: $0) }
                return try await database.read { try $0.concerts.events(targetKey: Self.key).first?.history }
            }
            let begin = Timestamp.now()
            func after(_ hours: Int) -> Timestamp { begin.advanced(by: .seconds(hours * 3_600)) }
            var event = ConcertEvent(id: "e", name: "Air", localDate: LocalDate("2027-05-14"))
            let first = try await history(of: event, at: begin)
            #expect(first == .init(revision: 0, changedAt: nil))
            event.imageURL = "https://i/other"
            event.priceRange = .init(minimum: 1, maximum: 2, currency: "EUR")
            #expect(try await history(of: event, at: after(1)) == .init(revision: 0, changedAt: nil))
            event.localDate = LocalDate("2027-06-01")
            event.status = .rescheduled
            #expect(try await history(of: event, at: after(2)) == .init(revision: 1, changedAt: after(2)))
            #expect(try await history(of: event, at: after(3)) == .init(revision: 1, changedAt: after(2)))
            event.venue = ConcertVenue(name: "Another hall")
            #expect(try await history(of: event, at: after(4)) == .init(revision: 2, changedAt: after(4)))
        }
    }
}
