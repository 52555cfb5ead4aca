import Concerts
import Model
import Testing

@Suite("The home city")
struct HomeCityTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var home: String
        var venue: ConcertVenue
        var isHome: Bool
        var testDescription: String {
            "\(home) – \(venue.city ?? "no city") \(venue.stateCode ?? "") \(venue.countryCode ?? "")"
        }

        init(_ home: String, _ city: String?, _ state: String?, _ country: String?, _ isHome: Bool) {
            self.home = home
            venue = ConcertVenue(city: city, stateCode: state, countryCode: country)
            self.isHome = isHome
        }
    }

    @Test(
        "A home city is matched by name, within the state or country that it names",
        arguments: [
            Example("Prague", "Praha 9", nil, "CZ", true),
            Example("praha", "Prague", nil, nil, true),
            Example("St. Louis", "Saint Louis", "MO", "US", true),
            Example("Camden, NJ", "Camden", "NJ", "US", true),
            Example("Camden, NJ", "Camden", nil, nil, true),
            Example("Camden, NJ", "Camden", nil, "GB", false),
            Example("Camden, New Jersey", "Camden", "SC", "US", false),
            Example("Camden", "Camden, NJ", "NJ", "US", true),
            Example("Camden, SC", "Camden, NJ", nil, nil, false),
            Example("Camden, NJ, USA", "Camden, NJ", nil, nil, true),
            Example("Paris", "Paris", "TX", "US", true),
            Example("Paris, TX", "Paris", nil, "FR", false),
            Example("Paris, TX", "Paris", "TX", "US", true),
            Example("Paris, France", "Paris", "TX", "US", false),
            Example("Paris, France", "Paris 12", nil, "FR", true),
            Example("London, UK", "London", nil, "GB", true),
            Example("London, UK", "London", "ON", "CA", false),
            Example("London (Ontario)", "London", "ON", "CA", true),
            Example("Vancouver, CA", "Vancouver", "BC", "CA", true),
            Example("Los Angeles, CA", "Los Angeles", "CA", "US", true),
            Example("Prague, Czech Republic", "Praha", nil, "CZ", true),
            Example("Prague, our lovely town", "Praha", nil, "CZ", true),
            Example("York", "New York", "NY", "US", false),
            Example("Prague", nil, nil, nil, false),
            Example("Athens", "Αθήνα", nil, "GR", true),
            Example("The Hague, Netherlands", "Den Haag", nil, "NL", true),
            Example("Edinburgh, Great Britain", "Edinburgh", nil, "GB", true),
        ])
    func matchedCities(example: Example) throws {
        #expect(try #require(HomeCity(example.home)).matches(example.venue) == example.isHome)
    }

    @Test(
        "Spellings of a city have one topic, which keeps the state and the country",
        arguments: [
            ("Prague", "any:prague"), ("Praha 9", "any:prague"), ("Prague, our lovely town", "any:prague"),
            ("Prague, Czech Republic", "CZ:prague"), ("Paris (TX)", "US-TX:paris"),
            ("Paris, Texas, USA", "US,US-TX:paris"),
            ("Vancouver, CA", "CA|US-CA:vancouver"),
        ])
    func topics(text: String, key: String) throws {
        let city = try #require(HomeCity(text))
        #expect(city.topicKey == key)
        #expect(HomeCity(topicKey: key)?.topicKey == key)
    }

    @Test("A topic without a state has all venues, one with a state only those that are known to be there")
    func venuesOfTopics() throws {
        let texan = ConcertVenue(city: "Dallas", stateCode: "TX", countryCode: "US")
        let anywhere = try #require(HomeCity(topicKey: "any:paris"))
        let texas = try #require(HomeCity(topicKey: "US-TX:paris"))
        #expect(anywhere.agrees(with: texan) && anywhere.agrees(with: nil))
        #expect(texas.agrees(with: texan) && !texas.agrees(with: nil))
        #expect(!texas.agrees(with: ConcertVenue(city: "Paris", countryCode: "FR")))
    }

    @Test("A text without a name is not a home city", arguments: ["", " ", "—"])
    func textWithoutAName(text: String) {
        #expect(HomeCity(text) == nil)
    }
}
