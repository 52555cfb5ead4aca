/// Something that happens to a show on command: `POST /_sim/shows`.
package struct ShowCommand: Sendable, Codable, Equatable {
    package enum Action: String, Sendable, Codable, CaseIterable {
        /// A new show of an artist.
        case announce
        /// Another day, time or hall.
        case move
        case cancel
        case putOnSale
    }

    package var action: Action
    /// The show; not for a new one.
    package var id: String?
    /// The artist of a new show; by default a popular one, which the seed and the number of the show determine.
    package var artist: String?
    /// The city of a new show, or the one to which a show moves, by its English name. It may be one of those in which
    /// shows take place only on command (Lord Howe Island, Casablanca, Kathmandu).
    package var city: String?
    /// The day, counted from the simulator's date.
    package var inDays: Int?
    /// Minutes after midnight, local time.
    package var minute: Int?
    /// Whether a new show is on sale at once.
    package var isOnSale: Bool?

    package init(
        _ action: Action, id: String? = nil, artist: String? = nil, city: String? = nil, inDays: Int? = nil,
        minute: Int? = nil, isOnSale: Bool? = nil
    ) {
        self.action = action
        self.id = id
        self.artist = artist
        self.city = city
        self.inDays = inDays
        self.minute = minute
        self.isOnSale = isOnSale
    }
}

/// A show as the control routes answer with it.
package struct ShowView: Sendable, Codable, Equatable {
    package var id: String
    package var name: String
    /// The headliner; `nil` for a show without a bill.
    package var artist: String?
    /// As the venue's record has it.
    package var city: String?
    /// `YYYY-MM-DD`.
    package var date: String?
    package var minute: Int?
    package var status: String

    init(_ event: Event, in catalog: TicketmasterCatalog) {
        id = event.id
        name = event.name
        artist = event.attractions.first.map { catalog.attractions[Int($0)].name }
        city = catalog.venues[Int(event.venue)].city
        date = event.day?.description
        minute = event.minute.map(Int.init)
        status = event.status.rawValue
    }
}

/// The simulator's date, and what happens on the days that it passes.
struct ShowCalendar: Sendable {
    /// Shows before it are over, and no longer in answers.
    var date: LocalDay
    /// How many shows have been announced.
    var announced = 0
}
