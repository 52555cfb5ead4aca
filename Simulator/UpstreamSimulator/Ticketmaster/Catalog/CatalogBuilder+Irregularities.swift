/// Events that lack something, contradict something, or happen twice.
extension CatalogBuilder {
    mutating func addIrregularities() {
        addStatuses()
        addUncertainDates()
        addDoubles()
        addClassificationGaps()
        addWithoutAttraction()
        addAtIncompleteVenues()
    }

    private func venue(_ city: String, _ number: Int = 0) -> Int32 {
        venuesByCity[Self.city(city)][number]
    }

    private mutating func addStatuses() {
        let today = today
        let artist = addAttraction("Status Quo", .rock)
        let statuses: [Event.Status] = [
            .onsale, .offsale, .cancelled, .canceled, .postponed, .rescheduled, .onhold,
        ]
        for (number, status) in statuses.enumerated() {
            addEvent("Status Quo", by: [artist], at: venue("Vienna", number % 3), on: today + 30 + number * 4) {
                $0.status = status
                if status == .rescheduled { $0.initialDay = today + 9 }
            }
        }
        // A popular artist also has a show that will not take place.
        let coldplay = attraction("Coldplay")
        addEvent("Coldplay - World Tour", by: [coldplay], at: venue("Munich"), on: today + 77) {
            $0.status = .cancelled
        }
        addEvent("Coldplay - World Tour", by: [coldplay], at: venue("Milan"), on: nil, minute: nil) {
            $0.status = .postponed
            $0.traits.insert(.dateTBA)
            $0.initialDay = today + 81
        }
    }

    private mutating func addUncertainDates() {
        let today = today
        let artist = addAttraction("The Uncertainty Principle", .alternativeRock)
        let name = "The Uncertainty Principle"
        addEvent("\(name): Time To Come", by: [artist], at: venue("Prague"), on: today + 40, minute: nil) {
            $0.traits.insert(.timeTBA)
        }
        addEvent("\(name): All Day", by: [artist], at: venue("Prague"), on: today + 41, minute: nil) {
            $0.traits.insert(.noSpecificTime)
        }
        addEvent("\(name): Some Day", by: [artist], at: venue("Prague"), on: nil, minute: nil) {
            $0.traits.formUnion([.dateTBA, .timeTBA])
        }
        addEvent("\(name): Some Other Day", by: [artist], at: venue("Prague"), on: nil, minute: nil) {
            $0.traits.insert(.dateTBD)
        }
        addEvent("\(name): It Was To Be", by: [artist], at: venue("Prague"), on: nil, minute: nil) {
            $0.status = .postponed
            $0.traits.insert(.dateTBA)
            $0.initialDay = today + 20
        }
        addEvent("\(name): Past Midnight", by: [artist], at: venue("Los Angeles"), on: today + 45, minute: 23 * 60)
    }

    /// Adds two shows on one day, one show listed twice, ids that differ only in case, and leftovers of a test.
    private mutating func addDoubles() {
        let artist = addAttraction("The Double Bill", .pop)
        let name = "The Double Bill"
        addEvent(name, by: [artist], at: venue("London"), on: today + 50, minute: 14 * 60 + 30)
        addEvent(name, by: [artist], at: venue("London"), on: today + 50, minute: 19 * 60 + 30)
        let matinee = attraction("Hans Zimmer")
        addEvent("Hans Zimmer Live", by: [matinee], at: venue("Prague", 1), on: today + 95, minute: 15 * 60)
        addEvent("Hans Zimmer Live", by: [matinee], at: venue("Prague", 1), on: today + 95, minute: 20 * 60)
        addEvent("\(name) (Official Platinum)", by: [artist], at: venue("Paris"), on: today + 57)
        addEvent(name, by: [artist], at: venue("Paris"), on: today + 57)
        let first = addEvent(name, by: [artist], at: venue("Rome"), on: today + 61)
        let second = addEvent(name, by: [artist], at: venue("Turin"), on: today + 63)
        events[first].id = "G5vGZ9cUKx8cX"
        events[second].id = "G5vGZ9CukX8Cx"
        addEvent("TEST EVENT - DO NOT PUBLISH", by: [artist], at: venue("Paris", 1), on: today + 58) {
            $0.traits.insert(.test)
        }
        addEvent("Imagine Dragons", by: [attraction("Imagine Dragons")], at: venue("Phoenix"), on: today + 59) {
            $0.traits.insert(.test)
        }
        addEvent("Metallica", by: [attraction("Metallica")], at: venue("Leipzig"), on: today + 88) {
            $0.traits.insert(.unknownValues)
        }
        // Published in one language only, so that the default locale does not see it.
        addEvent("Rammstein - Stadiontournee", by: [attraction("Rammstein")], at: venue("Berlin"), on: today + 99) {
            $0.locale = "de-de"
        }
        addEvent("Kabát - Vánoční turné", by: [attraction("Kabát")], at: venue("Prague"), on: today + 33) {
            $0.locale = "cs-cz"
        }
    }

    private mutating func addClassificationGaps() {
        let gaps: [(String, Classification?)] = [
            ("Undefined Everywhere", .undefined), ("Undefined Genre", .undefinedMusic), ("Other Genre", .otherMusic),
            ("Segment Only", .musicSegmentOnly), ("Not Classified", nil), ("Concert Film: Live Forever", .concertFilm),
        ]
        for (number, gap) in gaps.enumerated() {
            let artist = addAttraction(gap.0, gap.1, [])
            addEvent(gap.0, by: [artist], at: venue("Berlin"), on: today + 70 + number)
        }
        let team = addAttraction("Denver Drifters", .iceHockey, [.linked])
        addEvent("Denver Drifters vs. Visitors", by: [team], at: venue("Denver"), on: today + 20)
    }

    /// Adds artists without an attraction: their name is only in the event's own name.
    private mutating func addWithoutAttraction() {
        for (number, name) in ["The Tiger Lillies", "Max Raabe & Palast Orchester", "Čechomor"].enumerated() {
            addEvent(name, by: [], at: venue("Prague", number), on: today + 66 + number, classification: .folk)
            addEvent(
                "\(name): The Afterparty", by: [], at: venue("Prague", number), on: today + 67 + number,
                classification: .folk)
        }
        addEvent("A Tribute to The Tiger Lillies", by: [], at: venue("Brno"), on: today + 71, classification: .folk)
        addEvent("Nothing Embedded", by: [], at: venue("Prague"), on: today + 73) { $0.traits.insert(.bare) }
    }

    private mutating func addAtIncompleteVenues() {
        let artist = addAttraction("The Lost Venues", .rock)
        for (number, label) in venueNamed.keys.sorted().enumerated() {
            guard let venue = venueNamed[label] else { continue }
            addEvent("The Lost Venues", by: [artist], at: venue, on: today + 100 + number) {
                // Without a zone of the venue or of its own, its moment in UTC cannot be determined.
                if label == "No Timezone" { $0.traits.insert(.noTimezone) }
            }
        }
    }
}
