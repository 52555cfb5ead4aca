import Foundation
import Testing

@testable import UpstreamSimulator

/// The catalog has every documented case that a client may handle wrongly.
@Suite("Difficult data in the catalog")
struct TrapTests {
    private let answers = SimulatedAnswers()

    private func events(_ keyword: String) throws -> [[String: Any]] { try answers.events(["keyword": keyword]) }

    @Test("Tribute bands are listed beside the artists whose songs they play")
    func tributeBands() throws {
        let floyd = try events("Pink Floyd")
        #expect(floyd.contains { $0.name == "The Australian Pink Floyd Show" })
        #expect(!floyd.contains { $0.embeddedAttractions.contains { $0.name == "Pink Floyd" } })
        #expect(try answers.attractions(["keyword": "Pink Floyd"]).map(\.name).contains("Pink Floyd"))
        let abba = Set(try events("ABBA").flatMap { $0.embeddedAttractions.map(\.name) })
        #expect(abba.isSuperset(of: ["ABBA", "A Tribute to ABBA", "ABBA Mania"]))
    }

    @Test("Attractions with the same name differ in segment, links and upcoming events")
    func artistsOfTheSameName() throws {
        let genesis = try answers.attractions(["keyword": "Genesis"]).filter { $0.name == "Genesis" }
        #expect(Set(genesis.map(\.segment)) == ["Music", "Arts & Theatre"])
        #expect(genesis.filter { $0["externalLinks"] != nil }.map(\.segment) == ["Music"])
        let poison = try answers.attractions(["keyword": "Poison"]).filter { $0.name == "Poison" }
        #expect(Set(poison.map { $0.path("upcomingEvents", "_total") as? Int }) == [1, 7])
        #expect(poison.allSatisfy { $0["externalLinks"] == nil && $0.segment == "Music" })
        let america = try answers.attractions(["keyword": "America"]).filter { $0.name == "America" }
        #expect(america.contains { $0["upcomingEvents"] == nil })
    }

    @Test("A common word finds artists, shows and venues that only begin with it", arguments: ["Air", "Low"])
    func commonWords(word: String) throws {
        let found = try events(word)
        let own = found.filter { $0.embeddedAttractions.contains { $0.name == word } }
        #expect(!own.isEmpty)
        #expect(found.count > own.count * 2)
    }

    @Test(
        "Names in any script and with any mark are found",
        arguments: [
            ("bjork", "Björk"), ("Sigur Ros", "Sigur Rós"), ("мумий тролль", "Мумий Тролль"),
            ("宇多田ヒカル", "宇多田ヒカル"), ("Beyonce", "Beyoncé"), ("AC/DC", "AC/DC"), ("acdc", "AC/DC"),
            ("Guns N’ Roses", "Guns N' Roses"), ("Florence + The Machine", "Florence + The Machine"),
            ("Florence and the Machine", "Florence + The Machine"), ("pink", "P!NK"), ("Die Arzte", "Die Ärzte"),
        ])
    func namesInAnyScript(query: String, name: String) throws {
        #expect(try events(query).contains { $0.embeddedAttractions.contains { $0.name == name } })
    }

    @Test("Composers are listed under Arts & Theatre, after the orchestra that plays them")
    func composersAndOrchestras() throws {
        let found = try answers.attractions(["keyword": "Antonín Dvořák"])
        let attraction = try #require(found.first { $0.name == "Antonín Dvořák" })
        #expect(attraction.segment == "Arts & Theatre")
        #expect(try events("Dvorak").allSatisfy { $0.embeddedAttractions.map(\.name).last == "Antonín Dvořák" })
    }

    @Test("Some artists have nothing on sale, some are not in the catalog")
    func artistsWithoutEvents() throws {
        #expect(try events("Daft Punk").isEmpty)
        #expect(try answers.attractions(["keyword": "Daft Punk"]).map(\.name) == ["Daft Punk"])
        for name in ArtistNames.absent {
            #expect(try events(name).isEmpty)
            #expect(try answers.attractions(["keyword": name]).isEmpty)
        }
    }

    @Test("Festivals bill from none to twelve attractions")
    func billsOfFestivals() throws {
        let counts = Set(SimulatedAnswers.catalog.events.map(\.attractions.count))
        #expect(counts.isSuperset(of: [0, 1, 2, 5, 8, 12]))
        #expect(counts.max() == 12)
    }

    @Test("Events without attractions have the artist's name as theirs, or within it")
    func withoutAttractions() throws {
        let found = try events("Tiger Lillies")
        #expect(found.count == 3)
        #expect(found.allSatisfy { $0.embeddedAttractions.isEmpty && $0.path("_links", "attractions") == nil })
        #expect(found.filter { $0.name == "The Tiger Lillies" }.count == 1)
    }

    @Test("Packages, parking and the like are events of their own, some elsewhere, some without their show")
    func extrasOfShows() throws {
        let found = try events("Metallica").filter { $0.embeddedAttractions.contains { $0.name == "Metallica" } }
        let parking = try #require(found.first { $0.name == "Parking: Metallica" })
        let show = try #require(found.first { $0.localDate == parking.localDate && !$0.name.contains(":") })
        #expect(parking.venue.id != show.venue.id)
        #expect((parking["products"] as? [[String: Any]])?.first?["type"] as? String == "Upsell")
        #expect(found.contains { $0.name == "VIP Packages: Metallica" && $0.localDate == show.localDate })
        let all = SimulatedAnswers.catalog.events.map(\.name)
        for part in ["Baggage Storage", "Upsell", "Lounge", "3-Day Pass", "Weekend Ticket", "Day Ticket", "Camping"] {
            #expect(all.contains { $0.contains(part) }, "\(part)")
        }
        let orphans = SimulatedAnswers.catalog.events.filter { package in
            package.name.hasPrefix("VIP Packages")
                && !SimulatedAnswers.catalog.events.contains {
                    $0.day == package.day && $0.attractions == package.attractions && $0.id != package.id
                }
        }
        #expect(!orphans.isEmpty)
    }

    @Test("A matinee and an evening show share a day; one show is listed twice; ids differ in case only")
    func duplicatedShows() throws {
        let found = try events("The Double Bill")
        #expect(found.filter { $0.localTime == "14:30:00" || $0.localTime == "19:30:00" }.count == 2)
        let ids = found.map(\.id)
        #expect(ids.contains("G5vGZ9cUKx8cX") && ids.contains("G5vGZ9CukX8Cx"))
        let paris = found.filter { $0.venue.path("city", "name") as? String == "Paris" && $0["test"] as? Bool == false }
        #expect(paris.count == 2)
        #expect(Set(paris.map(\.localDate)).count == 1)
        #expect(found.contains { $0["test"] as? Bool == true })
    }

    @Test("Every status occurs, including both spellings of cancelled and an unknown one")
    func statusesOfEvents() throws {
        let statuses = Set(try events("Status Quo").compactMap(\.status))
        #expect(
            statuses == ["onsale", "offsale", "cancelled", "canceled", "postponed", "rescheduled", "onhold"])
    }

    @Test("Dates and times may be unknown in every combination")
    func uncertainDates() throws {
        let found = try events("Uncertainty Principle")
        func start(_ part: String) throws -> [String: Any] {
            let event = try #require(found.first { $0.name.hasSuffix(part) })
            return try #require(event.path("dates", "start") as? [String: Any])
        }
        let timeTBA = try start("Time To Come")
        #expect(timeTBA["timeTBA"] as? Bool == true && timeTBA["localDate"] != nil && timeTBA["localTime"] == nil)
        let allDay = try start("All Day")
        #expect(allDay["noSpecificTime"] as? Bool == true && allDay["dateTime"] == nil)
        for part in ["Some Day", "Some Other Day", "It Was To Be"] {
            let start = try start(part)
            #expect(start["localDate"] == nil && start["dateTime"] == nil && start["localTime"] == nil, "\(part)")
        }
        let postponed = try #require(found.first { $0.name.hasSuffix("It Was To Be") })
        #expect(postponed.status == "postponed")
        #expect(postponed.path("dates", "initialStartDate", "localDate") as? String != nil)
        let late = try start("Past Midnight")
        #expect((late["dateTime"] as? String)?.prefix(10) != (late["localDate"] as? String)?.prefix(10))
    }

    @Test("A venue's record may lack each of its parts, or carry a placeholder for its place")
    func incompleteVenues() throws {
        let venues = try events("The Lost Venues").map(\.venue)
        for part in ["name", "city", "address", "postalCode", "timezone", "state", "location"] {
            #expect(venues.contains { $0[part] == nil }, "\(part)")
        }
        #expect(venues.contains { $0.path("location", "latitude") as? String == "0" })
    }

    @Test("Zones are sometimes missing, prices nearly always, and on-sale dates are often placeholders")
    func missingParts() throws {
        let found = try (0..<5).flatMap { try answers.events(["page": String($0), "sort": "id,asc"]) }
        let share = { (isTrue: ([String: Any]) -> Bool) in Double(found.filter(isTrue).count) / Double(found.count) }
        #expect((0.1...0.35).contains(share { $0.path("dates", "timezone") == nil }))
        #expect((0.9..<1).contains(share { $0["priceRanges"] == nil }))
        #expect(
            (0.1...0.3).contains(
                share { ($0.path("sales", "public", "startDateTime") as? String)?.hasPrefix("1900-") == true }))
    }

    @Test("Levels of classification are missing, undefined or other")
    func missingClassifications() throws {
        let berlin = try answers.events(["city": "Berlin"])
        #expect(berlin.contains { $0.name == "Not Classified" && $0["classifications"] == nil })
        let segmentOnly = try #require(berlin.first { $0.name == "Segment Only" })
        #expect((segmentOnly["classifications"] as? [[String: Any]])?.first?["genre"] == nil)
        #expect(berlin.contains { $0.segment == "Undefined" })
        #expect(berlin.contains { $0.segment == "Film" })
    }

    @Test("An event may have nothing embedded, and values that no documentation names")
    func oddEvents() throws {
        let found = try events("Nothing Embedded")
        let bare = try #require(found.first)
        #expect(bare["_embedded"] == nil)
        let odd = try events("Metallica").compactMap { ($0["products"] as? [[String: Any]])?.first?["type"] as? String }
        #expect(odd.contains("Hologram"))
    }
}
