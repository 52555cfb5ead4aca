/// Offers around a show that are listed as events of their own.
extension CatalogBuilder {
    /// Packages, parking and the like for shows of popular artists; some of them without their show.
    mutating func addExtras() {
        var numbers = stream("extras")
        let artists = ArtistNames.popular.prefix(24).map { attraction($0.name) }
        for artist in artists {
            guard let show = events.first(where: { $0.attractions.first == artist }), let day = show.day else {
                continue
            }
            let name = attractions[Int(artist)].name
            let elsewhere = neighbor(of: show.venue, &numbers)
            addExtra("VIP Packages: \(name)", of: show, at: show.venue, .upsell)
            addExtra("Parking: \(name)", of: show, at: elsewhere, .parking)
            switch artist % 4 {
            case 0: addExtra("\(name) - Baggage Storage", of: show, at: elsewhere, .upsell)
            case 1: addExtra("\(name) | Early Entry Upgrade", of: show, at: show.venue, .upsell)
            case 2: addExtra("\(name) Fast Lane (Upsell)", of: show, at: elsewhere, .undefined)
            default:
                addExtra("\(name) - Premium Lounge Access", of: show, at: show.venue, nil)
            }
            // Adds a package for a date on which there is no show.
            if artist % 6 == 0 {
                addEvent(
                    "VIP Packages: \(name)", by: [artist], at: elsewhere, on: day + 61, classification: .upsell
                ) { $0.traits.insert(.upsell) }
            }
        }
    }

    private mutating func addExtra(_ name: String, of show: Event, at venue: Int32, _ kind: Classification?) {
        addEvent(
            name, by: Array(show.attractions.prefix(1)), at: venue, on: show.day,
            minute: show.minute.map { Int($0) - 120 }, classification: kind
        ) { $0.traits.insert(.upsell) }
    }

    /// Another venue in the same city, whose name may be spelled differently.
    private func neighbor(of venue: Int32, _ numbers: inout SeededGenerator) -> Int32 {
        let city = venuesByCity.first { $0.contains(venue) } ?? [venue]
        let others = city.filter { $0 != venue }
        return others.isEmpty ? venue : numbers.pick(others)
    }

    /// Festivals: many artists on one event, days of a festival, and the tickets for one or for several of them.
    mutating func addFestivals() {
        var numbers = stream("festivals")
        let names = [
            "Riverside Sound", "Harvest Moon", "Castle Ground", "Northern Lights Weekender", "Sundial", "Red Brick",
            "Meadow & Mill", "Long Shadow", "Electric Quay", "Saltwater", "Hilltop", "Old Airfield",
        ]
        for (number, name) in names.enumerated() {
            let festival = addAttraction("\(name) Festival", .festival, [.pictured])
            let city = number % 2 == 0 ? number : numbers.number(in: 0...(City.all.count - 1))
            let venue = someVenue(in: city, &numbers)
            let first = today + numbers.number(in: 60...300)
            // The bill has 0 to 12 entries and does not always include the festival itself.
            let lineUp = (0..<number).map { _ in Int32(numbers.number(in: 0...(ArtistNames.popular.count - 1))) }
            var billed: [Int32] = number % 3 == 0 ? [] : [festival]
            for artist in lineUp where !billed.contains(artist) && billed.count < 12 { billed.append(artist) }
            for day in 0..<3 {
                addEvent(
                    "\(name) Festival - Day \(day + 1)", by: billed, at: venue, on: first + day, minute: 14 * 60,
                    classification: .festival)
            }
            addPasses(name, by: billed.isEmpty ? [festival] : billed, at: venue, from: first)
        }
        // The longest bill that has been seen.
        addEvent(
            "One Night Only: The Charity Concert", by: (0..<12).map { Int32($0) },
            at: venuesByCity[Self.city("London")][2], on: today + 151, minute: 15 * 60, classification: .festival)
    }

    private mutating func addPasses(_ name: String, by billed: [Int32], at venue: Int32, from first: LocalDay) {
        addEvent(
            "\(name) Festival - 3-Day Pass", by: billed, at: venue, on: first, minute: nil, classification: .festival
        ) {
            $0.traits.insert(.noSpecificTime)
            $0.endDay = first + 2
        }
        addEvent("\(name) Festival - Weekend Ticket", by: billed, at: venue, on: first + 1, classification: .festival) {
            $0.endDay = first + 2
        }
        addEvent("\(name) Festival - Day Ticket Saturday", by: billed, at: venue, on: first + 1, minute: 12 * 60)
        addEvent("\(name) Festival - Camping", by: billed, at: venue, on: first, classification: .upsell) {
            $0.traits.insert(.upsell)
        }
    }
}
