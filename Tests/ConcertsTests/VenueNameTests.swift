import Model
import Testing

@testable import Concerts

@Suite("Names of venues")
struct VenueNameTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var hall: String
        var city: String
        var state: String?
        var country: String?
        var testDescription: String { "\(name) in \(city)" }

        init(_ name: String, _ hall: String, in city: String, _ state: String? = nil, _ country: String? = nil) {
            (self.name, self.hall, self.city, self.state, self.country) = (name, hall, city, state, country)
        }
    }

    @Test(
        "The city, an abbreviation of it, its state and country after the hall's name are not part of it",
        arguments: [
            Example("Ritz - SLC", "Ritz", in: "Salt Lake City", "UT", "US"),
            Example("The Depot (Salt Lake City, UT)", "The Depot", in: "Salt Lake City", "UT", "US"),
            Example("Blue Note Denver CO", "Blue Note", in: "Denver", "CO", "US"),
            Example("Blue Note, Denver", "Blue Note", in: "Denver"), Example("Metro [CHI]", "Metro", in: "Chicago"),
            Example("Terminal Five – NYC", "Terminal Five", in: "New York", "NY", "US"),
            Example("Gala Hala - Ljubljana, Slovenia", "Gala Hala", in: "Ljubljana", nil, "SI"),
            Example("Roxy Praha", "Roxy", in: "Prague"), Example("Arena Wien - Vienna", "Arena", in: "Vienna"),
            Example("Lyric Theatre - D.C.", "Lyric Theatre", in: "Washington", "DC", "US"),
            Example("Lyric Theatre - Washington, D.C.", "Lyric Theatre", in: "Washington", "DC", "US"),
            Example("Lyric Theatre, U.S.", "Lyric Theatre", in: "Denver", "CO", "US"),
            Example("武道館（東京）", "武道館", in: "東京", nil, "JP"),
            Example("Lyric Theatre-SF", "Lyric Theatre", in: "San Francisco", "CA", "US"),
            Example("Lyric Theatre-San Francisco", "Lyric Theatre", in: "San Francisco", "CA", "US"),
            Example("Lyric Theatre · SF", "Lyric Theatre", in: "San Francisco", "CA", "US"),
            Example("Lyric Theatre CA", "Lyric Theatre", in: "San Francisco", "CA", "US"),
            Example("Zénith de Paris", "Zénith", in: "Paris", nil, "FR"),
            Example("Globen (SWE)", "Globen", in: "Stockholm", nil, "SE"),
            Example("Corner Hotel | VIC", "Corner Hotel", in: "Richmond", nil, "AU"),
        ])
    func placesAfterTheHall(example: Example) { expectHall(example) }

    @Test(
        "Other additions distinguish halls",
        arguments: [
            Example("Metro - Upstairs", "Metro - Upstairs", in: "Chicago"),
            Example("Hi-Fi", "Hi-Fi", in: "Leeds"), Example("Lyric Theatre-Two", "Lyric Theatre-Two", in: "Leeds"),
            Example("Metro (Bar)", "Metro (Bar)", in: "Barcelona"), Example("Berlin", "Berlin", in: "Berlin"),
            Example("Theatre Berlin (Upstairs)", "Theatre Berlin (Upstairs)", in: "Berlin"),
            Example("Metro - WA", "Metro - WA", in: "Chicago", "IL", "US"),
            Example("Paris Las Vegas", "Paris Las Vegas", in: "Paradise", "NV", "US"),
            Example("Roxy Brno", "Roxy Brno", in: "Prague"), Example("- (", "- (", in: "Prague"),
            Example("", "", in: "Prague"),
        ])
    func additionsDistinguishHalls(example: Example) { expectHall(example) }

    private func expectHall(_ example: Example) {
        let venue = ConcertVenue(
            name: example.name, city: example.city, stateCode: example.state, countryCode: example.country)
        let key = CityNames.builtIn.key(for: example.city)
        #expect(VenueName(example.name, of: venue, cityKey: key, names: .builtIn).hall == example.hall)
    }

    @Test("Two spellings of one hall are one show; another room of the house is another")
    func spellingsOfOneHall() {
        var other = event("2", venue: "Arena (Prague)", city: "Prague")
        other.venue?.id = "another shop's id"
        let upstairs = event("3", venue: "Arena - Upstairs", city: "Prague")
        let grouping = ShowGrouping([source("a", event("1", venue: "Arena"), other, upstairs)])
        #expect(Set(grouping.summary) == ["1=2", "3"])
    }
}
