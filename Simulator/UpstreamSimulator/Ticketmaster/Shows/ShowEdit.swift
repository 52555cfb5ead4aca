/// Changes of a catalog's shows, from which another catalog is made.
struct ShowEdit {
    /// The most days by which a command may move a show or the date.
    static let farthest = 3_650

    private let catalog: TicketmasterCatalog
    private var events: [Event]
    private(set) var calendar: ShowCalendar

    init(_ catalog: TicketmasterCatalog, _ calendar: ShowCalendar) {
        self.catalog = catalog
        self.calendar = calendar
        events = catalog.events
    }

    /// The catalog with the changes. Shows that are over are not in it.
    var result: TicketmasterCatalog {
        let date = calendar.date
        return TicketmasterCatalog(
            seed: catalog.seed, today: catalog.today, attractions: catalog.attractions, venues: catalog.venues,
            events: events.filter { event in (event.endDay ?? event.day).map { $0 >= date } ?? true })
    }

    /// Carries out a command.
    ///
    /// - Returns: the show as it is then.
    mutating func carryOut(_ command: ShowCommand) throws(InvalidSetting) -> ShowView {
        guard (0...Self.farthest).contains(command.inDays ?? 0) else {
            throw InvalidSetting(description: "inDays is from 0 to \(Self.farthest).")
        }
        guard (0..<1_440).contains(command.minute ?? 0) else {
            throw InvalidSetting(description: "minute is from 0 to 1439.")
        }
        if command.action == .announce {
            let event = try newEvent(command)
            events.append(event)
            return ShowView(event, in: catalog)
        }
        guard let id = command.id else {
            throw InvalidSetting(description: "\(command.action.rawValue) needs the id of a show.")
        }
        guard let index = events.firstIndex(where: { $0.id == id }) else {
            throw InvalidSetting(description: "There is no show '\(id)'.")
        }
        var event = events[index]
        try change(&event, by: command)
        events[index] = event
        return ShowView(events[index], in: catalog)
    }

    /// Moves the date forward. Each day that begins has its own announcements and changes, which the seed determines.
    ///
    /// - Returns: the shows that were announced or changed, in order.
    mutating func advance(by days: Int) throws(InvalidSetting) -> [ShowView] {
        guard (1...Self.farthest).contains(days) else {
            throw InvalidSetting(description: "days is from 1 to \(Self.farthest).")
        }
        var happened: [ShowView] = []
        for _ in 0..<days {
            calendar.date = calendar.date + 1
            for command in commands(of: calendar.date) { happened.append(try carryOut(command)) }
        }
        return happened
    }

    /// What happens on a day: two announcements, one of which is not on sale yet; a show that goes on sale, one that
    /// moves by a week, and, every third day, one that is cancelled.
    private func commands(of day: LocalDay) -> [ShowCommand] {
        var numbers = SeededGenerator(seed: catalog.seed, stream: "shows of \(day)")
        var commands = [
            ShowCommand(.announce, inDays: numbers.number(in: 30...300)),
            ShowCommand(.announce, inDays: numbers.number(in: 30...300), isOnSale: false),
        ]
        let coming = events.filter { event in
            event.day.map { $0 > day + 7 } ?? false && event.traits.isDisjoint(with: [.upsell, .test])
        }
        if let waiting = coming.first(where: { $0.status == .offsale && $0.saleDay != nil }) {
            commands.append(ShowCommand(.putOnSale, id: waiting.id))
        }
        let onSale = coming.filter { $0.status == .onsale }
        guard !onSale.isEmpty else { return commands }
        let moved = numbers.pick(onSale)
        if let old = moved.day {
            let days = Int(old.daysSince1970 - day.daysSince1970) + 7
            if days <= Self.farthest { commands.append(ShowCommand(.move, id: moved.id, inDays: days)) }
        }
        let cancelled = numbers.pick(onSale)
        if day.daysSince1970.isMultiple(of: 3), cancelled.id != moved.id {
            commands.append(ShowCommand(.cancel, id: cancelled.id))
        }
        return commands
    }

    private mutating func newEvent(_ command: ShowCommand) throws(InvalidSetting) -> Event {
        calendar.announced += 1
        var numbers = SeededGenerator(seed: catalog.seed, stream: "announced show \(calendar.announced)")
        let popular = ArtistNames.popular.map(\.name)
        let artist = command.artist ?? numbers.pick(popular)
        guard let attraction = catalog.attractions.firstIndex(where: { $0.name == artist }) else {
            throw InvalidSetting(description: "There is no artist '\(artist)'.")
        }
        let venue = try venue(inCity: command.city ?? numbers.pick(City.all).name)
        var event = Event(
            id: "simG" + numbers.text(12, of: .base62), name: artist, attractions: [Int32(attraction)], venue: venue,
            classification: catalog.attractions[attraction].classification,
            day: calendar.date + (command.inDays ?? numbers.number(in: 30...300)),
            minute: Int16(command.minute ?? 20 * 60))
        event.status = command.isOnSale ?? true ? .onsale : .offsale
        // The sale of a show that is not on sale begins long after any test.
        event.saleDay = command.isOnSale ?? true ? calendar.date + -1 : calendar.date + 30
        return event
    }

    private func change(_ event: inout Event, by command: ShowCommand) throws(InvalidSetting) {
        let date = calendar.date
        switch command.action {
        case .announce: break
        case .cancel: event.status = .cancelled
        case .putOnSale: (event.status, event.saleDay) = (.onsale, date + -1)
        case .move:
            guard command.inDays != nil || command.city != nil || command.minute != nil else {
                throw InvalidSetting(description: "move needs inDays, minute or city.")
            }
            if let days = command.inDays {
                event.initialDay = event.initialDay ?? event.day
                event.day = date + days
                event.endDay = nil
                event.traits.subtract([.dateTBA, .dateTBD])
            }
            if let minute = command.minute {
                event.minute = Int16(minute)
                event.traits.subtract([.timeTBA, .noSpecificTime])
            }
            if let city = command.city { event.venue = try venue(inCity: city) }
            event.status = .rescheduled
        }
    }

    /// The first venue of a city.
    private func venue(inCity name: String) throws(InvalidSetting) -> Int32 {
        guard let city = (City.all + City.distant).first(where: { $0.name == name }),
            let index = catalog.venues.firstIndex(where: { venue in
                venue.countryCode == city.countryCode && city.spellings.contains(venue.city ?? "")
            })
        else { throw InvalidSetting(description: "There is no city '\(name)'.") }
        return Int32(index)
    }
}
