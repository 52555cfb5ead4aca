import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("The simulator's catalog")
struct SimulatedTicketmasterCatalogTests {
    private let catalog = SimulatedAnswers.catalog

    @Test("The same seed and day give the same catalog, and another seed gives another")
    func seedDeterminesTheCatalog() {
        let again = TicketmasterCatalog(seed: 1, today: SimulatedAnswers.today)
        let other = TicketmasterCatalog(seed: 2, today: SimulatedAnswers.today)
        #expect(again.events.map(\.id) == catalog.events.map(\.id))
        #expect(again.events.map(\.startsAt) == catalog.events.map(\.startsAt))
        #expect(again.attractions.map(\.name) == catalog.attractions.map(\.name))
        #expect(other.events.map(\.id) != catalog.events.map(\.id))
    }

    @Test("The catalog has thousands of artists and events, and no show before the first day")
    func sizeOfTheCatalog() {
        #expect(catalog.attractions.count > 3_000)
        #expect(catalog.events.count > 5_000)
        #expect(catalog.events.allSatisfy { ($0.day ?? catalog.today + 1) > catalog.today })
        #expect(Set(catalog.events.map(\.id)).count == catalog.events.count)
        #expect(catalog.events.allSatisfy { (10...21).contains($0.id.utf8.count) })
    }

    @Test("One keyword call finds all events of every popular artist", arguments: [UInt64(2), 77])
    func popularArtists(seed: UInt64) {
        let answers = SimulatedAnswers(catalog: TicketmasterCatalog(seed: seed, today: SimulatedAnswers.today))
        let names = answers.simulator.artists(.popular, count: 100)
        #expect(names == ArtistNames.popular.map(\.name))
        #expect(answers.simulator.artists(.unknown, count: 60).count == 60)
    }

    @Test("Names from a list are found with their attraction embedded by the default search alone")
    func listedArtists() throws {
        let answers = SimulatedAnswers()
        for kind in [TicketmasterSimulator.ArtistKind.popular, .unknown] {
            for name in answers.simulator.artists(kind, count: 20) {
                let page = try answers.json("events.json", ["keyword": name, "size": "200"])
                let found = page.path("_embedded", "events") as? [[String: Any]] ?? []
                #expect(found.contains { $0.embeddedAttractions.contains { $0.name == name } }, "\(name)")
            }
        }
    }

    @Test("Shows take place in Prague, in Europe and in the United States")
    func citiesOfShows() {
        let cities = Set(catalog.events.compactMap { catalog.venues[Int($0.venue)].city })
        for city in ["Praha 1", "Praha 9", "St. Louis", "Camden, NJ", " Long Beach", "München", "Αθήνα", "Wien"] {
            #expect(cities.contains(city), "\(city)")
        }
        let prague = catalog.events.filter { event in
            catalog.venues[Int(event.venue)].city?.hasPrefix("Pra") == true
                && event.attractions.contains { Int($0) < ArtistNames.popular.count }
        }
        #expect(prague.count > 15)
    }

    @Test("One artist has more shows than fit on a page, and a set of artists more than paging reaches")
    func tirelessArtists() throws {
        let answers = SimulatedAnswers()
        let ids = try answers.simulator.artists(.tireless, count: 20).map { name in
            let found = try answers.attractions(["keyword": name])
            return try #require(found.first { $0.name == name }).id
        }
        let one = try answers.json("events.json", ["attractionId": ids[0], "size": "200", "locale": "*"])
        #expect(try #require(one.path("page", "totalElements") as? Int) > 200)
        let all = try answers.json(
            "events.json", ["attractionId": ids.joined(separator: ","), "size": "200", "locale": "*"])
        #expect(try #require(all.path("page", "totalElements") as? Int) > 1_200)
    }
}
