import Model
import NotificationSources
import Storage
import Testing
import Timeline

@testable import Concerts

@Suite("News of shows")
struct ShowNewsTests {
    @Test("What the first answer has is coming, and only what later answers add is announced")
    func announcements() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            try await fixture.answer([NewsFixture.show("a"), NewsFixture.show("b", inDays: 70)], onDay: 0)
            #expect(try await fixture.shown().isEmpty)
            #expect(try await fixture.comingShows(of: ada) == ["Air 2"])
            let later = [NewsFixture.show("a"), NewsFixture.show("b", inDays: 70), NewsFixture.show("c", inDays: 80)]
            try await fixture.answer(later, onDay: 1)
            #expect(try await fixture.shown() == ["announced c.1"])
            // Nothing new, and a show that is missing once and comes back.
            try await fixture.answer(Array(later.dropLast()), onDay: 2)
            try await fixture.answer(later, onDay: 3)
            #expect(try await fixture.shown() == ["announced c.1"])
            // The coming shows stay as they were.
            #expect(try await fixture.comingShows(of: ada) == ["Air 2"])
            let history = try #require(try await fixture.database.read { try $0.concerts.event(id: "c")?.history })
            #expect(history.firstSeenAt == fixture.start.advanced(by: .seconds(86_400)))
            #expect(history.news.map(\.reason) == [.announced])
        }
    }

    @Test("A notification of several shows has each of their names once")
    func notification() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            try await fixture.answer([], onDay: 0)
            let tour = zip(["a", "b", "c"], 60...).map { NewsFixture.show($0, inDays: $1) }
            try await fixture.answer(tour, onDay: 1)
            func content() async throws -> NotificationContent? {
                try await fixture.database.read { reader in
                    let numbers = try reader.concerts.latestNews(ofEvents: ["a", "b", "c", "d", "e", "f"]).sorted {
                        $0.key < $1.key
                    }
                    let group = NotificationGroup(
                        recipientID: ada, kind: .concertNews, subject: "",
                        events: numbers.map { .init(itemID: String($0.value), actor: nil, time: fixture.start) })
                    return try [NotificationSource].concerts.first?.write(group, reader)
                }
            }
            let same = try #require(try await content())
            #expect(same.title == "News of 3 concerts" && same.body == "Air")
            let others = zip(["d", "e", "f"], 70...).map { NewsFixture.show($0, inDays: $1, name: "Air with \($0)") }
            try await fixture.answer(tour + others, onDay: 2)
            let several = try #require(try await content())
            #expect(several.title == "News of 6 concerts")
            #expect(several.body == "Air; Air with d; Air with e; and 1 more")
        }
    }

    @Test("Each thing that happens to a show replaces what was shown of it")
    func revisions() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader()
            try await fixture.answer([], onDay: 0)
            try await fixture.answer([NewsFixture.show("a", status: .offsale)], onDay: 1)
            #expect(try await fixture.shown() == ["announced a.1"])
            try await fixture.answer([NewsFixture.show("a")], onDay: 2)
            #expect(try await fixture.shown() == ["onSale a.2"])
            try await fixture.answer([NewsFixture.show("a", inDays: 90)], onDay: 3)
            #expect(try await fixture.shown() == ["moved a.3"])
            try await fixture.answer([NewsFixture.show("a", inDays: 90, status: .cancelled)], onDay: 4)
            #expect(try await fixture.shown() == ["cancelled a.4"])
            try await fixture.answer([NewsFixture.show("a", inDays: 90, status: .cancelled)], onDay: 5)
            #expect(try await fixture.shown() == ["cancelled a.4"])
            #expect(try await fixture.gone() == ["concert:a.1", "concert:a.2", "concert:a.3"])
            let history = try #require(try await fixture.database.read { try $0.concerts.event(id: "a")?.history })
            #expect(history.news.map(\.reason) == [.cancelled, .moved, .onSale, .announced])
            func day(_ number: Int) -> Timestamp { fixture.start.advanced(by: .seconds(86_400 * number)) }
            #expect(history.onSaleAt == day(2) && history.movedAt == day(3) && history.cancelledAt == day(4))
            #expect(history.checkedAt == day(5))
        }
    }

    @Test("A coming show that moves is news, although it was never announced")
    func comingShowMoves() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader()
            try await fixture.answer([NewsFixture.show("a")], onDay: 0)
            try await fixture.answer([NewsFixture.show("a", venue: "Club")], onDay: 1)
            #expect(try await fixture.shown() == ["moved a.2"])
        }
    }

    @Test("A show in two topics is one item of both, with one number")
    func severalTopics() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader(city: "Praha")
            for key in [NewsFixture.airKey, NewsFixture.pragueKey] { try await fixture.answer([], for: key, onDay: 0) }
            try await fixture.answer([NewsFixture.show("a")], onDay: 1)
            #expect(try await fixture.shown(in: NewsFixture.prague).isEmpty)
            try await fixture.answer([NewsFixture.show("a")], for: NewsFixture.pragueKey, onDay: 2)
            #expect(try await fixture.shown() == ["announced a.1"])
            #expect(try await fixture.shown(in: NewsFixture.prague) == ["announced a.1"])
            let places = try await fixture.database.read { reader in
                try reader.rows("SELECT DISTINCT number, score FROM timeline_items").count
            }
            #expect(places == 1)
            // One of the lookups finds that it is cancelled.
            try await fixture.answer(
                [NewsFixture.show("a", status: .cancelled)], for: NewsFixture.pragueKey, onDay: 3)
            #expect(try await fixture.shown() == ["cancelled a.2"])
            #expect(try await fixture.shown(in: NewsFixture.prague) == ["cancelled a.2"])
        }
    }

    @Test("Two listings of one show are one announcement, and extras are none")
    func listings() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader()
            try await fixture.answer([], onDay: 0)
            let parking = NewsFixture.show("p", kind: .parking, name: "Parking - Air")
            try await fixture.answer([NewsFixture.show("a"), NewsFixture.show("b"), parking], onDay: 1)
            let shown = try await fixture.shown()
            #expect(shown.count == 1)
            // The listing that represented the show disappears; the other one is not announced.
            let main = try #require(shown.first?.split(separator: " ").last?.prefix(1))
            let rest = main == "a" ? "b" : "a"
            try await fixture.answer([NewsFixture.show(rest)], onDay: 2)
            #expect(try await fixture.shown() == shown)
            // From now on, the other one represents it.
            try await fixture.answer([NewsFixture.show(rest, inDays: 61)], onDay: 3)
            #expect(try await fixture.shown().contains("moved \(rest).2"))
        }
    }

    @Test("When two shows turn out to be one, one card stays")
    func mergedShows() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader()
            try await fixture.answer([], onDay: 0)
            try await fixture.answer([NewsFixture.show("a"), NewsFixture.show("b", at: "19:30")], onDay: 1)
            #expect(try await fixture.shown().count == 2)
            let merged = ["a", "b"].map { NewsFixture.show($0, at: "19:30") }
            try await fixture.answer(merged, onDay: 2)
            let shown = try await fixture.shown()
            #expect(shown == ["moved a.2"] || shown == ["announced b.1"], "\(shown)")
        }
    }

    @Test("An incomplete answer makes no topic known, and a failed one changes nothing")
    func incompleteAnswers() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            try await fixture.answer([NewsFixture.show("a")], onDay: 0, gap: .ofOne)
            try await fixture.answer([], onDay: 1, gap: .ofOne, hasFailed: true)
            #expect(try await fixture.comingShows(of: ada).isEmpty)
            try await fixture.answer([NewsFixture.show("a"), NewsFixture.show("b", inDays: 70)], onDay: 2)
            #expect(try await fixture.comingShows(of: ada) == ["Air 2"])
            #expect(try await fixture.shown().isEmpty)
        }
    }

    @Test("Shows of a large area that only came into reach are not announced")
    func horizon() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader(ranks: [], city: "Prague")
            let (near, far) = (NewsFixture.show("a", inDays: 50), NewsFixture.show("b", inDays: 60))
            try await fixture.answer([near], for: NewsFixture.pragueKey, onDay: 0, isCut: true)
            let new = NewsFixture.show("c", inDays: 40)
            try await fixture.answer([near, far, new], for: NewsFixture.pragueKey, onDay: 1, isCut: true)
            #expect(try await fixture.shown(in: NewsFixture.prague) == ["announced c.1"])
        }
    }

    @Test("Nothing is announced after a month in which nobody looked, nor a past or a cancelled show")
    func notAnnounced() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader()
            try await fixture.answer([], onDay: -10)
            try await fixture.answer([NewsFixture.show("a")], onDay: 25)
            #expect(try await fixture.shown().isEmpty)
            let others = [NewsFixture.show("b", inDays: -60), NewsFixture.show("c", inDays: 70, status: .cancelled)]
            try await fixture.answer([NewsFixture.show("a")] + others, onDay: 26)
            #expect(try await fixture.shown().isEmpty)
        }
    }

    @Test("A city with a state has only the shows there")
    func cityInState() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader(ranks: [], city: "Paris, TX")
            let topic = TimelineTopic.city(key: "US-TX:paris")
            let key = ConcertSearches.key(ofCity: "paris", radius: ConcertSearches.standardRadius)
            try await fixture.answer([], for: key, onDay: 0)
            let french = NewsFixture.show("f", city: "Paris", country: "FR")
            let texan = NewsFixture.show("t", inDays: 61, city: "Paris", country: "US", state: "TX")
            try await fixture.answer([french, texan], for: key, onDay: 1)
            #expect(try await fixture.shown(in: topic) == ["announced t.1"])
        }
    }

    @Test("Shows that no lookup has found for a month are forgotten, with their items")
    func forgetting() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader()
            try await fixture.answer([], onDay: -20)
            try await fixture.answer([NewsFixture.show("a")], onDay: -10)
            try await fixture.answer([NewsFixture.show("b")], onDay: 1)
            let upkeep = ConcertUpkeep(
                database: fixture.database, searchRetention: .seconds(7 * 86_400),
                artistRetention: .seconds(90 * 86_400))
            try await upkeep.forget(at: .unguarded(.now()))
            #expect(try await fixture.shown() == ["announced b.1"])
            #expect(try await fixture.gone() == ["concert:a.1"])
            let left = try await fixture.database.read { reader in
                try reader.rows("SELECT id FROM concert_events ORDER BY id").map { try $0["id"] as String }
                    + reader.rows("SELECT event_id FROM concert_news ORDER BY event_id").map { try $0["event_id"] }
            }
            #expect(left == ["b", "b"])
        }
    }

    @Test("A show has a page with its other listings, whichever of them is asked for")
    func detail() async throws {
        try await NewsFixture.run { fixture in
            let parking = NewsFixture.show("p", kind: .parking, name: "Air: Parking")
            let show = NewsFixture.show("a", bill: ["Air", "Moby"])
            try await fixture.answer([show, parking], onDay: 0)
            try await fixture.database.read { reader in
                for id in ["a", "p"] {
                    let detail = try #require(
                        try ShowDetail(
                            id: id, homeCity: HomeCity("Praha"), cityNames: .builtIn, in: reader))
                    #expect(detail.item.id == "a" && detail.event.id == "a")
                    #expect(detail.bill.map(\.name) == ["Air", "Moby"])
                    #expect(detail.item.extras.map(\.kind) == [.parking])
                    #expect(detail.item.isHomeCity)
                    #expect(detail.history.firstSeenAt == fixture.start)
                }
                #expect(try ShowDetail(id: "x", homeCity: nil, cityNames: .builtIn, in: reader) == nil)
            }
        }
    }
}
