import Model
import Testing

@testable import Releases

@Suite("Reading an artist's list")
struct ReleaseLookupTests {
    private static let now = ReleaseFixture.noon

    private func albums(_ numbers: ClosedRange<Int>) -> [CatalogAlbum] {
        numbers.map { .album("\($0)", "Album \($0)", "2019-05-17") }
    }

    private func run(
        _ catalog: ReleaseCatalog, _ artist: WantedArtist = .nora, _ known: ReleaseLookup.Known = .init()
    ) async throws -> ReleaseAnswer {
        try await ReleaseLookup(catalog: catalog) { $0.lowercased().replacing(" ", with: "") }
            .run(artist, known: known, now: Self.now)
    }

    private func known(
        _ id: String?, total: Int?, completeDaysAgo days: Int? = 1, ids: ClosedRange<Int>, isByName: Bool = false,
        country: String = ""
    ) -> ReleaseLookup.Known {
        ReleaseLookup.Known(
            reading: ReleaseReading(
                country: country, artistID: id, isByName: isByName, total: total,
                checkedAt: ReleaseFixture.after(days: -1), completeAt: days.map { ReleaseFixture.after(days: -$0) }),
            albumIDs: Set(ids.map(String.init)))
    }

    @Test("The whole list is read first; later one page is enough, until something changes or a week has passed")
    func pages() async throws {
        let service = ListedArtists([.init(id: "n", name: "Nora Vale", albums: albums(1...7))])
        let artist = WantedArtist(key: "noravale", name: "Nora Vale", ids: [.spotify: "n"])
        let first = try await run(service.catalog(), artist)
        #expect(first.isComplete && first.albums.count == 7 && first.total == 7 && first.artistID == "n")
        #expect(!first.isByName && service.calls() == (4, 0))

        let unchanged = try await run(service.catalog(), artist, known("n", total: 7, ids: 1...7))
        #expect(!unchanged.isComplete && unchanged.albums.count == 2 && service.calls() == (1, 0))
        let weekly = try await run(service.catalog(), artist, known("n", total: 7, completeDaysAgo: 7, ids: 1...7))
        #expect(weekly.isComplete && service.calls() == (4, 0))
        let longer = try await run(service.catalog(), artist, known("n", total: 6, ids: 1...7))
        #expect(longer.isComplete && service.calls() == (4, 0))
        let replaced = try await run(service.catalog(), artist, known("n", total: 7, ids: 2...8))
        #expect(replaced.isComplete && service.calls() == (4, 0))
        let neverWhole = try await run(
            service.catalog(), artist, known("n", total: 7, completeDaysAgo: nil, ids: 1...7))
        #expect(neverWhole.isComplete && service.calls() == (4, 0))
    }

    @Test("A list without a length is read to its end, and one that is too long only in part")
    func otherLists() async throws {
        let apple = ListedArtists(
            [.init(id: "n", name: "Nora Vale", albums: albums(1...7))], at: .appleMusic, pageSize: 4)
        let catalog = apple.catalog(country: "us")
        let answer = try await run(catalog, .nora, known("n", total: nil, ids: 1...7, country: "us"))
        #expect(answer.isComplete && answer.albums.count == 7 && apple.calls() == (2, 0))

        let service = ListedArtists([.init(id: "n", name: "Nora Vale", albums: albums(1...7))])
        let part = try await run(service.catalog(mostPages: 2), .nora, known("n", total: 7, ids: 1...1))
        #expect(!part.isComplete && part.albums.count == 4 && service.calls() == (2, 0))
    }

    @Test("Without an id the artist is searched for, and only an equal name counts")
    func search() async throws {
        let service = ListedArtists([
            .init(id: "t", name: "Nora Vale Tribute", albums: albums(8...9)),
            .init(id: "n", name: "NORA VALE", albums: albums(1...3)),
        ])
        let upper = WantedArtist(key: "noravale", name: "NORA VALE")
        let found = try await run(service.catalog(), upper)
        #expect(found.artistID == "n" && found.isByName && service.calls() == (2, 1))
        let nobody = try await run(service.catalog(), WantedArtist(key: "ottoreif", name: "Otto Reif"))
        #expect(nobody.artistID == nil && nobody.albums.isEmpty && service.calls() == (0, 1))
    }

    @Test("Of several artists of one name, the albums at the other service decide, then the order of the service")
    func namesakes() async throws {
        let service = ListedArtists([
            .init(id: "other", name: "Nora Vale", albums: [.album("x", "Signals", "2001")]),
            .init(id: "n", name: "Nora Vale", albums: [.album("1", "Harbor (Deluxe)", "2019")]),
        ])
        #expect(try await run(service.catalog()).artistID == "other")
        var known = ReleaseLookup.Known()
        known.titleKeys = Set([CatalogAlbum.album("9", "Harbor", "2019")].compactMap { ListedAlbum($0)?.titleKey })
        #expect(try await run(service.catalog(), .nora, known).artistID == "n")
    }

    @Test("The id of a person's list replaces one that was found by name, but not that of another person's list")
    func idsOfLists() async throws {
        let service = ListedArtists([
            .init(id: "a", name: "Nora Vale", albums: albums(1...1)),
            .init(id: "b", name: "Nora Vale", albums: albums(2...2)),
        ])
        let artist = WantedArtist(key: "noravale", name: "Nora Vale", ids: [.spotify: "b"])
        let byName = known("a", total: 1, ids: 1...1, isByName: true)
        let byList = known("a", total: 1, ids: 1...1)
        #expect(try await run(service.catalog(), artist, byName).artistID == "b")
        #expect(try await run(service.catalog(), artist, byList).artistID == "a")
        let isDue = try #require(byName.reading).isDue(country: "", artistID: "b", now: Self.now)
        #expect(isDue)
        // The list was read yesterday.
        let early = ReleaseFixture.after(days: -1)
        #expect(try !#require(byList.reading).isDue(country: "", artistID: "b", now: early))
        #expect(try #require(byName.reading).isDue(country: "", artistID: "b", now: early))
    }

    @Test("An id that the service no longer has is searched for again, and is not tried every day")
    func goneID() async throws {
        let service = ListedArtists([.init(id: "n", name: "Nora Vale", albums: albums(1...1))])
        let artist = WantedArtist(key: "noravale", name: "Nora Vale", ids: [.spotify: "gone"])
        let found = try await run(service.catalog(), artist)
        #expect(found.artistID == "n" && !found.isByName)
    }

    @Test("A list is due once a day in UTC, an artist whom the service does not have once a week")
    func dueReadings() throws {
        let midnight = try #require(Timestamp(rfc3339: "2026-12-01T00:00:00Z"))
        func reading(_ id: String?) -> ReleaseReading {
            ReleaseReading(
                country: "us", artistID: id, isByName: false, total: nil, checkedAt: Self.now, completeAt: Self.now)
        }
        func isDue(_ id: String?, _ moment: Timestamp, country: String = "us", listed: String? = nil) -> Bool {
            reading(id).isDue(country: country, artistID: listed, now: moment)
        }
        #expect(!isDue("n", Self.now) && !isDue("n", midnight.advanced(by: .seconds(-1))) && isDue("n", midnight))
        #expect(isDue("n", Self.now, country: "de"))
        #expect(isDue("n", ReleaseFixture.after(days: -5)), "a clock was ahead")
        #expect(!isDue(nil, ReleaseFixture.after(days: 6)) && isDue(nil, ReleaseFixture.after(days: 7)))
        #expect(isDue(nil, Self.now, listed: "n"))
    }
}
