import Foundation

/// An event of Ticketmaster, reduced to the fields of results.
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

    /// Face value in `currency` (ISO 4217).
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
    /// `nil` when unknown or to be announced.
    package var localDate: LocalDate?
    package var localTime: LocalTime?
    package var timeTBA: Bool
    package var dateTBA: Bool
    /// The first announced date of an event that was moved.
    package var initialDate: LocalDate?
    /// The last day of an event of several days.
    package var endDate: LocalDate?
    package var spansMultipleDays: Bool
    package var status: ConcertStatus
    package var priceRange: PriceRange?
    /// Always `https`.
    package var ticketURL: String?
    /// Always `https`.
    package var imageURL: String?
    package var segment: String?
    package var genre: String?

    package init(
        id: String, name: String, kind: ConcertKind = .show, attractions: [Performer] = [],
        venue: ConcertVenue? = nil, localDate: LocalDate? = nil, localTime: LocalTime? = nil, timeTBA: Bool = false,
        dateTBA: Bool = false, initialDate: LocalDate? = nil, endDate: LocalDate? = nil,
        spansMultipleDays: Bool = false, status: ConcertStatus = .onsale, priceRange: PriceRange? = nil,
        ticketURL: String? = nil, imageURL: String? = nil, segment: String? = nil, genre: String? = nil
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
        self.status = status
        self.priceRange = priceRange
        self.ticketURL = ticketURL
        self.imageURL = imageURL
        self.segment = segment
        self.genre = genre
    }
}

extension ConcertEvent {
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
