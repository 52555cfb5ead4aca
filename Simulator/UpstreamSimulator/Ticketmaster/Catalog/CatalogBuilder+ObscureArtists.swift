/// Thousands of invented artists, so that searches have a realistic number of entries to go through.
extension CatalogBuilder {
    static let obscureCount = 3_000

    mutating func addObscureArtists() {
        var numbers = stream("little known")
        var taken = Set(attractions.map(\.name))
        var added = 0
        while added < Self.obscureCount {
            let name = obscureName(&numbers)
            guard taken.insert(name).inserted else { continue }
            added += 1
            let style = numbers.pick(Classification.common)
            let artist = addAttraction(name, style, numbers.chance(40) ? [.linked, .pictured] : [])
            for _ in 0..<numbers.pick([0, 1, 1, 1, 2, 3, 5]) {
                let city = numbers.number(in: 0...(City.all.count - 1))
                let minute = numbers.pick([1080, 1140, 1170, 1200, 1230, 1260])
                addEvent(
                    numbers.chance(70) ? name : "\(name) - \(numbers.pick(ArtistNames.tourNames))", by: [artist],
                    at: someVenue(in: city, &numbers), on: someDay(&numbers), minute: minute)
            }
        }
    }

    private func obscureName(_ numbers: inout SeededGenerator) -> String {
        let adjective = numbers.pick(ArtistNames.adjectives)
        let noun = numbers.pick(ArtistNames.nouns)
        switch numbers.number(in: 0...9) {
        case 0...3: return "\(adjective) \(noun)"
        case 4, 5: return "The \(adjective) \(noun)"
        case 6: return "\(adjective) & \(noun)"
        default: return "\(numbers.pick(ArtistNames.givenNames)) \(numbers.pick(ArtistNames.familyNames))"
        }
    }
}
