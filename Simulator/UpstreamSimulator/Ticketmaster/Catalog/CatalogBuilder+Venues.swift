import Foundation

/// The venues, including those whose records lack something.
extension CatalogBuilder {
    private static let kinds = [
        "Arena", "Concert Hall", "Stadium", "Club", "Opera House", "Open Air Park", "Palace", "Ballroom",
    ]

    mutating func addVenues() {
        var numbers = stream("venues")
        for city in City.all {
            var indices: [Int32] = []
            for (number, kind) in Self.kinds.enumerated() where number < 5 || numbers.chance(40) {
                let place = city.name.prefix { $0 != "(" }.trimmingCharacters(in: .whitespaces)
                indices.append(addVenue("\(place) \(kind)", in: city, spelling: number, &numbers))
            }
            venuesByCity.append(indices)
        }
        for (name, city) in [
            ("Air Force Memorial Amphitheater", "Denver"), ("Low Mill Arts Centre", "Manchester"),
            ("Live Oak Pavilion", "Austin"), ("Muse Palace", "Paris"), ("Train Depot Ballroom", "Chicago"),
        ] {
            venueNamed[name] = addVenue(name, in: City.all[Self.city(city)], spelling: 0, &numbers)
        }
        addIncompleteVenues(&numbers)
    }

    /// Adds a hall in each of ``City/distant``. It comes last, so that it changes nothing of what a seed determines.
    mutating func addDistantVenues() {
        var numbers = stream("distant venues")
        for city in City.distant { _ = addVenue("\(city.name) Hall", in: city, spelling: 0, &numbers) }
    }

    private mutating func addVenue(
        _ name: String?, in city: City, spelling: Int, _ numbers: inout SeededGenerator
    ) -> Int32 {
        let offset = { (numbers: inout SeededGenerator) in Double(numbers.number(in: -400...400)) / 10_000 }
        venues.append(
            Venue(
                id: identifier(numbers.chance(80) ? "KovZ" : "Z598x", length: 11), name: name,
                city: city.spellings[spelling % city.spellings.count], state: city.state,
                countryCode: city.countryCode, countryName: city.countryName,
                address: "\(numbers.number(in: 1...240)) \(numbers.pick(Self.streets))", postalCode: city.postalCode,
                timezone: city.timezone,
                location: GeoPoint(
                    latitude: city.center.latitude + offset(&numbers),
                    longitude: city.center.longitude + offset(&numbers))))
        return Int32(venues.count - 1)
    }

    private static let streets = [
        "Station Road", "Main Street", "Harbour Walk", "Market Square", "Riverside Drive", "Theatre Lane",
    ]

    /// Adds records that lack one member each, as about one in a hundred real ones does.
    private mutating func addIncompleteVenues(_ numbers: inout SeededGenerator) {
        let defects: [(String, WritableKeyPath<Venue, String?>)] = [
            ("No Name", \.name), ("No City", \.city), ("No Address", \.address), ("No Postcode", \.postalCode),
            ("No Timezone", \.timezone),
        ]
        for (label, part) in defects {
            let index = addVenue("Hall of \(label)", in: City.all[0], spelling: 1, &numbers)
            venues[Int(index)][keyPath: part] = nil
            venueNamed[label] = index
        }
        let withoutState = addVenue("Hall of No State", in: City.all[Self.city("Boston")], spelling: 0, &numbers)
        venues[Int(withoutState)].state = nil
        venueNamed["No State"] = withoutState
        let withoutLocation = addVenue("Hall of No Location", in: City.all[0], spelling: 2, &numbers)
        venues[Int(withoutLocation)].location = nil
        venueNamed["No Location"] = withoutLocation
        let atZero = addVenue("Hall of Zero Location", in: City.all[0], spelling: 3, &numbers)
        venues[Int(atZero)].location = GeoPoint(latitude: 0, longitude: 0)
        venueNamed["Zero Location"] = atZero
    }
}
