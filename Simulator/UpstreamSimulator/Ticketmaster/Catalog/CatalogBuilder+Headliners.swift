/// Artists that people know by name, with plain shows.
extension CatalogBuilder {
    /// Popular artists tour, most of them through Prague; artists without events are merely known.
    mutating func addHeadliners() {
        var numbers = stream("headliners")
        for (number, artist) in ArtistNames.popular.enumerated() {
            let aliases = artist.name == "P!NK" ? ["Pink"] : []
            let index = addAttraction(artist.name, artist.style, aliases: aliases)
            addTour(of: index, shows: numbers.number(in: 4...11), throughPrague: number % 3 == 0, &numbers)
        }
        for artist in ArtistNames.eventless {
            addAttraction(artist.name, artist.style)
        }
        addAttraction("ABBA", .pop)
        for day in stride(from: 20, through: 160, by: 14) {
            addEvent(
                "ABBA Voyage", by: [attraction("ABBA")], at: venuesByCity[Self.city("London")][0], on: today + day)
        }
    }

    /// A few shows in different cities, on different days of one leg.
    private mutating func addTour(
        of artist: Int32, shows: Int, throughPrague: Bool, _ numbers: inout SeededGenerator
    ) {
        let name = attractions[Int(artist)].name
        let tour = numbers.pick(ArtistNames.tourNames)
        let title = numbers.chance(30) ? name : tour == "An Evening With" ? "\(tour) \(name)" : "\(name) - \(tour)"
        var day = today + numbers.number(in: 12...120)
        var cities = City.all.indices.shuffled(using: &numbers).prefix(shows).map { $0 }
        if throughPrague, !cities.contains(0) { cities[0] = 0 }
        for city in cities {
            // Big names play arenas and stadiums.
            let venue = numbers.pick(Array(venuesByCity[city].prefix(3)))
            let openers: [Int32] = numbers.chance(15) && artist > 0 ? [artist - 1] : []
            addEvent(
                title, by: [artist] + openers, at: venue, on: day, minute: numbers.pick([1110, 1140, 1170, 1200]))
            day = day + numbers.number(in: 2...9)
        }
    }

    /// Adds artists with more shows than a page of 200 can contain and, all together, more than paging reaches.
    mutating func addTireless() {
        var numbers = stream("tireless")
        for artist in ArtistNames.tireless {
            let index = addAttraction(artist.name, artist.style)
            for show in 0..<artist.shows {
                addEvent(
                    artist.name, by: [index],
                    at: someVenue(in: numbers.number(in: 0...(City.all.count - 1)), &numbers),
                    on: today + 3 + (show * 320) / artist.shows, minute: numbers.pick([900, 1140, 1200]))
            }
        }
    }
}
