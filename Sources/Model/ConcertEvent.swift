import Foundation

/// An event at Ticketmaster, reduced to the fields that results show.
package struct ConcertEvent: Hashable, Sendable, Codable {
    /// An artist on the bill. Ticketmaster usually lists the headliner first.
    package struct Performer: Hashable, Sendable, Codable {
        /// The attraction's id.
        package var id: String
        package var name: String
        package var imageURL: String?

        package init(id: String, name: String, imageURL: String? = nil) {
            self.id = id
            self.name = name
            self.imageURL = imageURL
        }
    }

    /// The range of face values in `currency` (ISO 4217).
    package struct PriceRange: Hashable, Sendable, Codable {
        package var minimum: Double
        package var maximum: Double
        package var currency: String

        package init(minimum: Double, maximum: Double, currency: String) {
            self.minimum = minimum
            self.maximum = maximum
            self.currency = currency
        }
    }

    /// Ticketmaster's id, case-sensitive.
    package var id: String
    package var name: String
    package var kind: ConcertKind
    package var attractions: [Performer]
    package var venue: ConcertVenue?
    /// The day in local time; `nil` when unknown or to be announced.
    package var localDate: LocalDate?
    package var localTime: LocalTime?
    package var timeTBA: Bool
    package var dateTBA: Bool
    /// The first announced date of an event that was moved.
    package var initialDate: LocalDate?
    /// The last day of an event that lasts several days.
    package var endDate: LocalDate?
    package var spansMultipleDays: Bool
    /// When the event begins; `nil` unless its time of day and the venue's offset from UTC are known.
    package var startsAt: Timestamp?
    /// When the event ends, always later than ``startsAt``; `nil` unless both are known.
    package var endsAt: Timestamp?
    /// The time of day at which the doors open, on ``localDate``; `nil` when it is unknown or on another day.
    package var doorsAt: LocalTime?
    /// When tickets go on sale to the public; `nil` when it is unknown.
    package var saleStartsAt: Timestamp?
    package var status: ConcertStatus
    package var priceRange: PriceRange?
    /// The URL of the ticket page, always `https`.
    package var ticketURL: String?
    /// Whether the listing resells tickets; `nil` when it does not.
    package var isResale: Bool?
    /// The URL of a picture, always `https`.
    package var imageURL: String?
    package var segment: String?
    package var genre: String?
    /// How the announcement has changed since it was first stored; `nil` for an event that was just fetched. It is not
    /// part of what is stored as the event.
    package var history: History?

    /// How often, and when last, the part of an event that calendars show has changed.
    package struct History: Hashable, Sendable {
        package var revision: Int
        /// The time of the last change; `nil` while nothing has changed.
        package var changedAt: Timestamp?

        package init(revision: Int, changedAt: Timestamp?) {
            self.revision = revision
            self.changedAt = changedAt
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, kind, attractions, venue, localDate, localTime, timeTBA, dateTBA, initialDate, endDate
        case spansMultipleDays, startsAt, endsAt, doorsAt, saleStartsAt, status, priceRange, ticketURL, isResale
        case imageURL, segment, genre
    }

    package init(
        id: String, name: String, kind: ConcertKind = .show, attractions: [Performer] = [],
        venue: ConcertVenue? = nil, localDate: LocalDate? = nil, localTime: LocalTime? = nil, timeTBA: Bool = false,
        dateTBA: Bool = false, initialDate: LocalDate? = nil, endDate: LocalDate? = nil,
        spansMultipleDays: Bool = false, startsAt: Timestamp? = nil, endsAt: Timestamp? = nil,
        doorsAt: LocalTime? = nil, saleStartsAt: Timestamp? = nil, status: ConcertStatus = .onsale,
        priceRange: PriceRange? = nil, ticketURL: String? = nil, isResale: Bool? = nil, imageURL: String? = nil,
        segment: String? = nil, genre: String? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.attractions = attractions
        self.venue = venue
        self.localDate = localDate
        self.localTime = localTime
        self.timeTBA = timeTBA
        self.dateTBA = dateTBA
        self.initialDate = initialDate
        self.endDate = endDate
        self.spansMultipleDays = spansMultipleDays
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.doorsAt = doorsAt
        self.saleStartsAt = saleStartsAt
        self.status = status
        self.priceRange = priceRange
        self.ticketURL = ticketURL
        self.isResale = isResale
        self.imageURL = imageURL
        self.segment = segment
        self.genre = genre
    }
}

extension ConcertEvent {
    /// Whether tickets are sold to the public at a moment. Sellers list many events as on sale before the sale begins.
    package func isOnSale(at moment: Timestamp) -> Bool {
        status == .onsale && saleStartsAt.map { $0 <= moment } ?? true
    }

    /// The part of the event that a calendar shows, as text: if the text is equal, no new entry is needed. Prices,
    /// pictures and the bill are left out, because they change from fetch to fetch.
    package var announcement: String {
        let moments = [startsAt, endsAt].map { $0.map { "\($0.microseconds)" } ?? "" }
        let days = [localDate, endDate].map { $0?.description ?? "" }
        let place = [venue?.name, venue?.address, venue?.city, venue?.countryCode].map { $0 ?? "" }
        return ([name, status.code, localTime?.description ?? "", timeTBA ? "TBA" : ""] + days + moments + place)
            .joined(separator: "\n")
    }

    /// Compact JSON with sorted keys for a database column: equal events have equal texts. Fields that are added later
    /// must be optional, because later versions read stored rows.
    package func encodedForStorage() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Reads what ``encodedForStorage()`` wrote, throwing `DecodingError` for anything else.
    package init(storage text: String) throws {
        self = try JSONDecoder().decode(ConcertEvent.self, from: Data(text.utf8))
    }
}
