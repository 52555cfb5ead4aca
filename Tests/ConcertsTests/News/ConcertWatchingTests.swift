import DomainEvents
import Model
import Storage
import TestSupport
import Testing
import Timeline

@testable import Concerts

@Suite("What people watch")
struct ConcertWatchingTests {
    @Test("Only who has opened the feed watches, from then on with every change of the list and the city")
    func opening() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addPerson(ranks: ["Air"], city: "Praha")
            #expect(try await fixture.watched(by: ada).isEmpty)
            #expect(try await fixture.database.read { try !$0.concerts.areRefreshesDue(now: .now()) })
            try await fixture.openFeed(of: ada)
            #expect(try await fixture.watched(by: ada) == ["artist:air", "city:any:prague"])
            try await fixture.rank(["The Air", "Moby"], of: ada)
            #expect(try await fixture.watched(by: ada) == ["artist:air", "artist:moby", "city:any:prague"])
            try await fixture.setCity("Paris, TX", of: ada)
            try await fixture.rank(["Moby"], of: ada)
            #expect(try await fixture.watched(by: ada) == ["artist:moby", "city:US-TX:paris"])
            try await fixture.setCity("???", of: ada)
            #expect(try await fixture.watched(by: ada) == ["artist:moby"])
        }
    }

    @Test("Other domains learn of artists and city at each change, and at the first opening")
    func events() async throws {
        try await withDatabase { database, _ in
            let heard = Collector<String>()
            let watching = ConcertWatching(cityNames: .builtIn, homeCity: { _, _ in "Wien, Austria" })
            database.register(
                [EventSubscriber].concerts(watching) + [
                    EventSubscriber(RankedArtistsChanged.self) { event, _ in
                        heard.append(event.artistKeys.joined(separator: "+"))
                    },
                    EventSubscriber(ConcertCityChanged.self) { event, _ in heard.append(event.cityKey ?? "-") },
                ])
            let fixture = NewsFixture(database: database)
            let ada = try await database.addPerson()
            try await fixture.rank(["Air", "The Beatles"], of: ada)
            #expect(heard.elements == ["air+beatles"])
            try await fixture.openFeed(of: ada)
            #expect(heard.elements == ["air+beatles", "air+beatles", "AT:vienna"])
            try await fixture.openFeed(of: ada, isFirst: false)
            #expect(heard.elements.count == 3)
        }
    }

    @Test("Coming shows are forgotten 90 days after the end of the watch, and not while it goes on or begins again")
    func endedWatches() async throws {
        try await NewsFixture.run { fixture in
            let people = [
                try await fixture.addReader("ada"), try await fixture.addReader("bob"),
                try await fixture.addReader("cid"),
            ]
            try await fixture.answer([NewsFixture.show("a")], onDay: 0)
            for person in people[1...] { try await fixture.rank([], of: person) }
            try await fixture.rank(["Air"], of: people[2])
            let upkeep = ConcertUpkeep(
                database: fixture.database, searchRetention: .seconds(86_400), artistRetention: .seconds(86_400))
            func left(afterDays days: Int) async throws -> Set<String> {
                try await upkeep.forget(at: .unguarded(.now().advanced(by: .seconds(days * 86_400))))
                return Set(
                    try await fixture.database.read { reader in
                        try reader.map("SELECT user_id FROM concert_coming_shows") { try $0["user_id"] as String }
                    })
            }
            #expect(try await left(afterDays: 89) == Set(people))
            #expect(try await left(afterDays: 91) == [people[0], people[2]])
            #expect(try await fixture.comingShows(of: people[1]).isEmpty)
            let gone = try await fixture.database.read { try $0.goneItems(userID: people[1], after: 0, limit: 10) }
            #expect(gone.map(\.kind) == [.feedItem])
        }
    }

    @Test("A person gets the coming shows of an artist once, at once if the shows are known")
    func comingShows() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader("ada")
            try await fixture.answer([NewsFixture.show("a"), NewsFixture.show("b", inDays: 70)], onDay: 0)
            #expect(try await fixture.comingShows(of: ada) == ["Air 2"])
            let bob = try await fixture.addReader("bob", ranks: [])
            try await fixture.rank(["Air"], of: bob)
            #expect(try await fixture.comingShows(of: bob) == ["Air 2"])
            try await fixture.rank([], of: bob)
            #expect(try await fixture.comingShows(of: bob) == ["Air 2 not watched"])
            try await fixture.rank(["AIR"], of: bob)
            #expect(try await fixture.comingShows(of: bob) == ["Air 2"])
        }
    }

    @Test("An artist without shows is no item, and the first announcement is")
    func noComingShows() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            try await fixture.answer([NewsFixture.show("x", status: .cancelled)], onDay: 0)
            #expect(try await fixture.comingShows(of: ada).isEmpty)
            try await fixture.answer([NewsFixture.show("a")], onDay: 1)
            #expect(try await fixture.comingShows(of: ada).isEmpty)
            #expect(try await fixture.shown() == ["announced a.1"])
        }
    }

    @Test("Whoever waits with many others gets the coming shows from the upkeep step")
    func manyPeople() async throws {
        try await NewsFixture.run { fixture in
            var people: [String] = []
            for number in 0..<103 { people.append(try await fixture.addReader("person\(number)")) }
            try await fixture.answer([NewsFixture.show("a")], onDay: 0)
            func given() async throws -> Int {
                try await fixture.database.read { reader in
                    try reader.row("SELECT COUNT(*) AS count FROM concert_coming_shows")?["count"] ?? 0
                }
            }
            #expect(try await given() == 100)
            let hasMore = try await fixture.database.write { try ConcertRefreshes.giveOwed(in: $0) }
            #expect(!hasMore)
            #expect(try await given() == 103)
        }
    }
}
