/// Names that mislead: tributes, namesakes, ordinary words, composers.
extension CatalogBuilder {
    mutating func addLookalikes() {
        var numbers = stream("lookalikes")
        for tribute in ArtistNames.tributes {
            let index = addAttraction(tribute.name, .rock, numbers.chance(50) ? [.linked] : [])
            for _ in 0..<numbers.number(in: 4...9) {
                let city = numbers.number(in: 0...(City.all.count - 1))
                addEvent(
                    tribute.show ?? tribute.name, by: [index], at: someVenue(in: city, &numbers),
                    on: someDay(&numbers))
            }
        }
        addNamesakes(&numbers)
    }

    /// Adds several attractions with the same name that differ in links, in segment, or only in the number of events.
    private mutating func addNamesakes(_ numbers: inout SeededGenerator) {
        let namesakes: [(String, [(Classification?, Attraction.Traits, Int)])] = [
            ("Genesis", [(.theatre, [], 6), (.rock, [.linked, .pictured], 4)]),
            ("Bush", [(.comedy, [.uncounted], 2), (.alternativeRock, [.linked, .pictured], 5)]),
            ("Nirvana", [(.rock, [], 3), (.alternativeRock, [.linked, .pictured], 0), (.undefined, [], 1)]),
            ("Poison", [(.rock, [], 1), (.metal, [], 7)]),
            ("America", [(.undefined, [.uncounted], 0), (.rock, [], 6), (.theatre, [], 9)]),
            // The famous one is filed under Arts & Theatre, the namesake under Music.
            ("Ludovico Einaudi", [(.otherMusic, [], 0), (.classical, [.linked, .pictured], 6)]),
        ]
        for (name, entries) in namesakes {
            for (classification, traits, shows) in entries {
                let index = addAttraction(name, classification, traits)
                for _ in 0..<shows {
                    let city = numbers.number(in: 0...(City.all.count - 1))
                    addEvent(name, by: [index], at: someVenue(in: city, &numbers), on: someDay(&numbers))
                }
            }
        }
    }

    /// Adds ordinary words: the artists themselves, and the noise that a keyword search returns along with them.
    mutating func addCommonWords() {
        var numbers = stream("common words")
        for artist in ArtistNames.commonWords {
            let index = addAttraction(artist.name, artist.style)
            for _ in 0..<5 {
                let city = numbers.number(in: 0...(City.all.count - 1))
                addEvent(
                    artist.name, by: [index], at: someVenue(in: city, &numbers), on: someDay(&numbers))
            }
        }
        let noise = [
            "Airbourne", "Open Air Cinema Night", "Low Country Oyster Roast", "The Lowdown", "Live! Comedy Hour",
            "Yes, And: Improv Night", "Soul Train Revue", "Journey to the Centre of the Earth", "Boston Pops Matinee",
            "Europe Day Gala", "Lowlands Warm-Up",
        ]
        for title in noise {
            let index = addAttraction(title, numbers.pick([.comedy, .theatre, .undefined, .rock]), [])
            for _ in 0..<numbers.number(in: 2...6) {
                let city = numbers.number(in: 0...(City.all.count - 1))
                addEvent(title, by: [index], at: someVenue(in: city, &numbers), on: someDay(&numbers))
            }
        }
    }

    /// Adds composers under Arts & Theatre, played by orchestras that are named first.
    mutating func addComposers() {
        var numbers = stream("composers")
        let orchestra = addAttraction("Vltava Philharmonic", .classical)
        for composer in ArtistNames.composers {
            let index = addAttraction(composer, .classical, [.linked])
            for _ in 0..<numbers.number(in: 3...6) {
                let city = numbers.number(in: 0...(City.all.count - 1))
                addEvent(
                    "Vltava Philharmonic plays \(composer)", by: [orchestra, index],
                    at: someVenue(in: city, &numbers), on: someDay(&numbers), minute: 19 * 60 + 30)
            }
        }
    }
}
