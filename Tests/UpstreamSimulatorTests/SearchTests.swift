import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Event search in the simulator")
struct SearchTests {
    private let answers = SimulatedAnswers()

    private func attractionID(_ name: String) throws -> String {
        let found = try answers.attractions(["keyword": name])
        return try #require(found.first { $0.name == name }).id
    }

    @Test("A comma-separated list of attractions finds the shows of all of them, each once")
    func attractionList() throws {
        let ids = try [attractionID("Adele"), attractionID("Coldplay")]
        let both = try answers.events(["attractionId": ids.joined(separator: ",")])
        let each = try ids.flatMap { try answers.events(["attractionId": $0]) }
        #expect(Set(both.map(\.id)) == Set(each.map(\.id)))
        #expect(both.count == Set(both.map(\.id)).count)
        #expect(try answers.events(["attractionId": "K8vZ9170000"]).isEmpty)
    }

    @Test("A span of dates includes both ends, to the second")
    func spanOfDates() throws {
        let shows = try answers.events(["keyword": "Adele"])
        let show = try #require(shows.first { $0.path("dates", "start", "dateTime") != nil })
        let moment = try #require(show.path("dates", "start", "dateTime") as? String)
        let found = try answers.events(["keyword": "Adele", "startDateTime": moment, "endDateTime": moment])
        #expect(found.contains { $0.id == show.id })
        let date = try Date(moment, strategy: .iso8601)
        let later = (date + 1).formatted(.iso8601)
        #expect(!(try answers.events(["keyword": "Adele", "startDateTime": later])).contains { $0.id == show.id })
        let earlier = (date - 1).formatted(.iso8601)
        #expect(!(try answers.events(["keyword": "Adele", "endDateTime": earlier])).contains { $0.id == show.id })
    }

    @Test("Undated events are found only on request, and the two \"only\" exclude each other")
    func undatedEvents() throws {
        func names(_ tba: String?, _ tbd: String?) throws -> Int {
            var parameters = ["keyword": "Uncertainty Principle", "locale": "*"]
            parameters["includeTBA"] = tba
            parameters["includeTBD"] = tbd
            let page = try answers.json("events.json", parameters)
            return try #require(page.path("page", "totalElements") as? Int)
        }
        #expect(try names(nil, nil) == 3)
        #expect(try names("yes", nil) == 5)
        #expect(try names("yes", "yes") == 6)
        #expect(try names("only", nil) == 2)
        #expect(try names(nil, "only") == 1)
        #expect(try names("only", "only") == 0)
    }

    @Test("The default locale hides events that are only published in another language")
    func hiddenByLocale() throws {
        func count(_ locale: String?) throws -> Int {
            var parameters = ["keyword": "Stadiontournee"]
            parameters["locale"] = locale
            let page = try answers.json("events.json", parameters)
            return try #require(page.path("page", "totalElements") as? Int)
        }
        #expect(try count(nil) == 0)
        #expect(try count("fr") == 0)
        #expect(try count("de") == 1)
        #expect(try count("en,*") == 1)
    }

    @Test("A radius is in miles by default and requires a point, and answers contain the distance")
    func radiusAroundAPoint() throws {
        // Dresden is about 118 km from Prague: within 80 miles, not within 80 kilometers.
        let prague = ["latlong": "50.0755,14.4378", "radius": "80"]
        func cities(_ parameters: [String: String]) throws -> Set<String> {
            Set(try answers.events(parameters).compactMap { $0.venue.path("city", "name") as? String })
        }
        #expect(try cities(prague).contains("Dresden"))
        #expect(!(try cities(prague.merging(["unit": "km"]) { $1 })).contains("Dresden"))
        #expect(try cities(["radius": "1"]).count > 5)
        let nearest = try answers.events(prague.merging(["sort": "distance,asc"]) { $1 })
        let near = try #require(nearest.first)
        #expect(near["units"] as? String == "MILES")
        #expect(try #require(near["distance"] as? Double) < 10)
        // u2fkb is the cell of Prague.
        #expect(try cities(["geoPoint": "u2fkb", "radius": "30"]).isSuperset(of: ["Praha 1"]))
    }

    @Test("Cities are compared without case, diacritics and blanks, and are not translated")
    func namesOfCities() throws {
        #expect(!(try answers.events(["city": "munchen"])).isEmpty)
        #expect(!(try answers.events(["city": "Long Beach"])).isEmpty)
        let munich = try answers.events(["city": "Munich"])
        #expect(munich.allSatisfy { $0.venue.path("city", "name") as? String == "Munich" })
        let maine = try answers.events(["city": "Portland", "stateCode": "ME"])
        #expect(!maine.isEmpty)
        #expect(maine.allSatisfy { $0.venue.path("state", "stateCode") as? String == "ME" })
        #expect(try answers.events(["countryCode": "CZ"]).count > 20)
        #expect(try answers.events(["postalCode": "63101"]).count > 20)
    }

    @Test("A classification's name matches at any level, a segment's id only its own")
    func levelsOfClassification() throws {
        let named = try answers.events(["classificationName": "music", "city": "Berlin"])
        #expect(named.contains { $0.segment == "Film" })
        let segment = try answers.events(["segmentId": "KZFzniwnSyZfZ7v7nJ", "city": "Berlin"])
        #expect(!segment.isEmpty)
        #expect(segment.allSatisfy { $0.segment == "Music" })
        #expect(!(try answers.events(["genreId": "KnvZfZ7vAvt"])).isEmpty)
    }

    @Test("Results are in the order of the sort parameter, and pages of one search do not overlap")
    func sortedPages() throws {
        let byDate = try answers.events(["keyword": "Uncertainty", "sort": "date,asc"])
        let dates = byDate.map { $0.localDate ?? "9999" }
        #expect(dates == dates.sorted())
        let byName = try answers.events(["city": "Brno", "sort": "name,asc"]).map(\.name)
        #expect(byName == byName.sorted())
        let pages = try (0..<4).flatMap { try answers.events(["size": "50", "page": String($0), "sort": "date,asc"]) }
        #expect(Set(pages.map(\.id)).count == 200)
    }

    @Test("A venue's id, an event's id and a document of each are found")
    func byID() throws {
        let found = try answers.events(["keyword": "Adele"])
        let event = try #require(found.first)
        #expect(try answers.events(["id": event.id]).map(\.id) == [event.id])
        #expect(try answers.events(["venueId": event.venue.id]).contains { $0.id == event.id })
        #expect(try answers.json("events/\(event.id).json").id == event.id)
        #expect(try answers.json("events/\(event.id)").id == event.id)
        let attraction = try #require(event.embeddedAttractions.first).id
        #expect(try answers.json("attractions/\(attraction).json").id == attraction)
        #expect(try answers.json("venues/\(event.venue.id).json").id == event.venue.id)
        #expect(try answers.json("venues.json", ["city": "Brno"]).path("_embedded", "venues") != nil)
    }
}
