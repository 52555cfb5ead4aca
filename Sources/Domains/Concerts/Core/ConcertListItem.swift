import Model

/// A row of a search's result as in the API, where unknown values are `null`.
package struct ConcertListItem: Hashable, Sendable, Decodable {
    /// A VIP package, parking or a pass for the show, or another listing of the show itself (``ConcertKind/show``).
    package struct Extra: Hashable, Sendable, Decodable {
        package var name: String
        package var kind: ConcertKind
        package var ticketURL: String?

        package init(name: String, kind: ConcertKind, ticketURL: String?) {
            self.name = name
            self.kind = kind
            self.ticketURL = ticketURL
        }
    }

    /// Ticketmaster's id.
    package var id: String
    package var name: String
    /// The best-ranked artist of the search who plays, or else the headliner.
    package var artistName: String
    /// `nil` for an event found by area.
    package var artistRank: Int?
    package var artistImageURL: String?
    /// The rest of the bill: the search's other artists by rank, then the other performers.
    package var additionalArtists: [String]
    package var venueName: String?
    package var venueAddress: String?
    package var city: String?
    package var countryCode: String?
    package var localDate: LocalDate?
    package var localTime: LocalTime?
    /// The last day of a show that lasts several days.
    package var endDate: LocalDate?
    package var timeTBA: Bool
    package var dateTBA: Bool
    package var status: ConcertStatus
    package var isHomeCity: Bool
    /// For example, `AUD 77.69–88.34`.
    package var priceRange: String?
    package var ticketURL: String?
    package var extras: [Extra]
    /// What calendars need in addition to the fields of the API.
    package var calendar = Calendar()

    package struct Calendar: Hashable, Sendable {
        /// When the show starts and ends, if the venue's offset from UTC is known.
        package var startsAt: Timestamp?
        package var endsAt: Timestamp?
        package var history: ConcertEvent.History?
        /// The IANA name of the venue's time zone, as the seller gives it.
        package var timeZone: String?

        package init(
            startsAt: Timestamp? = nil, endsAt: Timestamp? = nil, history: ConcertEvent.History? = nil,
            timeZone: String? = nil
        ) {
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.history = history
            self.timeZone = timeZone
        }
    }
}

extension ConcertListItem: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, name, artistName, artistRank, artistImageURL, additionalArtists, venueName, venueAddress, city
        case countryCode, localDate, localTime, endDate, timeTBA, dateTBA, status, isHomeCity, priceRange, ticketURL
        case extras
    }

    /// The synthesized function would omit unknown fields.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(artistName, forKey: .artistName)
        try container.encode(artistRank, forKey: .artistRank)
        try container.encode(artistImageURL, forKey: .artistImageURL)
        try container.encode(additionalArtists, forKey: .additionalArtists)
        try container.encode(venueName, forKey: .venueName)
        try container.encode(venueAddress, forKey: .venueAddress)
        try container.encode(city, forKey: .city)
        try container.encode(countryCode, forKey: .countryCode)
        try container.encode(localDate, forKey: .localDate)
        try container.encode(localTime, forKey: .localTime)
        try container.encode(endDate, forKey: .endDate)
        try container.encode(timeTBA, forKey: .timeTBA)
        try container.encode(dateTBA, forKey: .dateTBA)
        try container.encode(status, forKey: .status)
        try container.encode(isHomeCity, forKey: .isHomeCity)
        try container.encode(priceRange, forKey: .priceRange)
        try container.encode(ticketURL, forKey: .ticketURL)
        try container.encode(extras, forKey: .extras)
    }
}

extension ConcertListItem.Extra: Encodable {
    private enum CodingKeys: String, CodingKey { case name, kind, ticketURL }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(kind, forKey: .kind)
        try container.encode(ticketURL, forKey: .ticketURL)
    }
}
