import Foundation

/// Builds a catalog, deterministically from its seed and first day.
///
/// Each part is in an extension of its own (`+Headliners`, `+Venues`, …) and draws from its own stream of numbers.
struct CatalogBuilder {
    let seed: UInt64
    let today: LocalDay

    var attractions: [Attraction] = []
    var venues: [Venue] = []
    var events: [Event] = []
    /// Venues of each city of ``City/all``.
    var venuesByCity: [[Int32]] = []
    /// The indices of special venues by their labels.
    var venueNamed: [String: Int32] = [:]

    private var names = SeededGenerator(seed: 0, stream: "")
    private var usedIDs: Set<String> = []
    private var attractionNamed: [String: Int32] = [:]

    init(seed: UInt64, today: LocalDay) {
        self.seed = seed
        self.today = today
        names = stream("identifiers")
    }

    /// The whole catalog.
    static func build(seed: UInt64, today: LocalDay) -> TicketmasterCatalog {
        var builder = CatalogBuilder(seed: seed, today: today)
        builder.addVenues()
        builder.addHeadliners()
        builder.addTireless()
        builder.addLookalikes()
        builder.addCommonWords()
        builder.addComposers()
        builder.addExtras()
        builder.addFestivals()
        builder.addIrregularities()
        builder.addObscureArtists()
        builder.addDistantVenues()
        return TicketmasterCatalog(builder: builder)
    }

    func stream(_ name: String) -> SeededGenerator {
        SeededGenerator(seed: seed, stream: name)
    }

    /// A unique id, 10 to 21 characters long like the real ones.
    mutating func identifier(_ prefix: String, length: Int) -> String {
        while true {
            let id = prefix + names.text(length - prefix.count, of: .base62)
            if usedIDs.insert(id).inserted { return id }
        }
    }

    /// Adds an attraction; two with the same name are two attractions.
    @discardableResult
    mutating func addAttraction(
        _ name: String, _ classification: Classification?, _ traits: Attraction.Traits = [.linked, .pictured],
        aliases: [String] = []
    ) -> Int32 {
        let index = Int32(attractions.count)
        let id = identifier(names.chance(85) ? "K8vZ917" : "Z7r9jZ1", length: 11)
        attractions.append(
            Attraction(id: id, name: name, classification: classification, traits: traits, aliases: aliases))
        attractionNamed[name] = attractionNamed[name] ?? index
        return index
    }

    /// The first attraction of that name, which must have been added before.
    func attraction(_ name: String) -> Int32 {
        guard let index = attractionNamed[name] else { fatalError("no attraction is called \(name)") }
        return index
    }

    /// Adds an event; it takes its classification from its first attraction unless one is given.
    @discardableResult
    mutating func addEvent(
        _ name: String, by attractions: [Int32], at venue: Int32, on day: LocalDay?, minute: Int? = 20 * 60,
        classification: Classification? = nil, _ adjust: (inout Event) -> Void = { _ in }
    ) -> Int {
        // A few real ids have 21 characters; most have 13 to 16.
        let length = names.chance(5) ? 21 : names.number(in: 13...16)
        var event = Event(
            id: identifier(names.pick(["vvG1", "G5v", "Z7r9jZ1", "1A", "rZ7H"]), length: length), name: name,
            attractions: attractions, venue: venue,
            classification: classification ?? attractions.first.flatMap { self.attractions[Int($0)].classification },
            day: day, minute: minute.map(Int16.init))
        if names.chance(21) { event.traits.insert(.noTimezone) }
        if names.chance(3) { event.traits.insert(.priced) }
        adjust(&event)
        events.append(event)
        return events.count - 1
    }

    /// A day between tomorrow and about eleven months from now.
    func someDay(_ numbers: inout SeededGenerator) -> LocalDay {
        today + numbers.number(in: 6...330)
    }

    /// Any venue of a city.
    func someVenue(in city: Int, _ numbers: inout SeededGenerator) -> Int32 {
        numbers.pick(venuesByCity[city])
    }

    /// The index in ``City/all`` of the city with that English name.
    static func city(_ name: String) -> Int {
        guard let index = City.all.firstIndex(where: { $0.name == name }) else { fatalError("no city is \(name)") }
        return index
    }
}
