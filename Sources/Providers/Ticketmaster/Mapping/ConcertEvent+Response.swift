import Foundation
import Model
import Platform

extension ConcertEvent {
    /// `nil` when the event has neither a name nor an attraction whose name it could use.
    init?(_ response: EventResponse) {
        let billed = response.attractions.filter { !$0.isTest }
        guard let name = response.name ?? billed.first?.name else { return nil }
        let venue = response.venues.first.map(ConcertVenue.init)
        let classification = response.classifications.preferred
        let timing = EventTiming(response.dates, doors: response.doors, venueZone: venue?.timezone)
        self.init(
            id: response.id,
            name: name,
            kind: EventKindRules.kind(
                name: name, classifications: response.classifications, performers: billed.map(\.name),
                days: timing.days),
            attractions: billed.map {
                Performer(id: $0.id, name: $0.name, imageURL: ImageResponse.best(of: $0.images))
            },
            venue: venue,
            localDate: timing.date,
            localTime: timing.time,
            timeTBA: timing.timeTBA,
            // A postponed event may only have its original date; the new one is to be announced.
            dateTBA: timing.dateTBA || (timing.date == nil && timing.initialDate != nil),
            initialDate: timing.initialDate,
            endDate: timing.endDate,
            spansMultipleDays: response.dates?.spansMultipleDays == true || timing.endDate != nil,
            startsAt: timing.startsAt,
            endsAt: timing.endsAt,
            doorsAt: timing.doorsAt,
            saleStartsAt: response.sales?.start,
            status: ConcertStatus(code: response.dates?.statusCode),
            priceRange: PriceRange(response.priceRanges),
            ticketURL: secureURL(response.url),
            isResale: response.isResale ? true : nil,
            imageURL: ImageResponse.best(of: response.images),
            segment: classification?.segment,
            genre: classification?.genre)
    }
}

extension EventResponse {
    /// Whether resold tickets are offered: the source `tmr` is Ticketmaster Resale, whose events have their own ids and
    /// addresses; TicketsNow is its former name.
    fileprivate var isResale: Bool {
        if source?.lowercased() == "tmr" || id.hasPrefix("TMR") { return true }
        guard let host = url.flatMap({ URLComponents(string: $0)?.host?.lowercased() }) else { return false }
        return host.split(separator: ".").contains { label in label == "ticketsnow" || label.hasPrefix("resale") }
    }
}

extension SalesResponse {
    /// The start of the public sale. Years that no sale is in, such as 1900, stand for a date that nobody entered.
    fileprivate var start: Timestamp? {
        guard !isToBeAnnounced, let start = startDateTime.flatMap({ Timestamp(rfc3339: $0) }),
            Self.plausible.contains(start)
        else { return nil }
        return start
    }

    /// From 2000 to 2100.
    private static let plausible =
        Timestamp(microseconds: 946_684_800_000_000)...Timestamp(microseconds: 4_102_444_800_000_000)
}

extension ConcertEvent.PriceRange {
    /// The span of all price ranges of one type and currency. Standard prices take precedence over those with fees.
    init?(_ responses: [PriceRangeResponse]) {
        let usable = responses.filter { range in
            range.currency != nil && [range.min, range.max].contains { $0 != nil }
        }
        guard let first = usable.first(where: { $0.type == "standard" }) ?? usable.first, let currency = first.currency
        else { return nil }
        let values =
            usable
            .filter { $0.type == first.type && $0.currency == currency }
            .flatMap { [$0.min, $0.max].compactMap(\.self) }
            .filter { $0.isFinite && $0 >= 0 }
        guard let minimum = values.min(), let maximum = values.max() else { return nil }
        self.init(minimum: minimum, maximum: maximum, currency: currency)
    }
}

extension ConcertVenue {
    init(_ response: VenueResponse) {
        self.init(
            id: response.id, name: response.name, address: response.address, city: response.city,
            state: response.state, stateCode: response.stateCode?.uppercased(), country: response.country,
            countryCode: response.countryCode?.uppercased(),
            location: Self.point(latitude: response.latitude, longitude: response.longitude),
            timezone: response.timezone)
    }

    /// A zero in either coordinate is a placeholder.
    private static func point(latitude: String?, longitude: String?) -> GeoPoint? {
        guard let latitude = latitude.flatMap({ Double(decimal: $0, in: -90...90) }),
            let longitude = longitude.flatMap({ Double(decimal: $0, in: -180...180) }), latitude != 0, longitude != 0
        else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }
}

/// `text` as an `https` URL for a link; `nil` for other schemes such as `javascript:`.
///
/// Old records have `http` URLs, which are also served over TLS.
func secureURL(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 2_048, !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
        var parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.user == nil
    else { return nil }
    switch parts.scheme?.lowercased() {
    case "https": return parts.string
    case "http":
        parts.scheme = "https"
        if parts.port == 80 { parts.port = nil }
        return parts.string
    default: return nil
    }
}

/// `text` as the address of a picture, or `nil`: a ``secureURL(_:)``, or an `http` address of this machine, which only
/// a stand-in for Ticketmaster returns.
func pictureURL(_ text: String?) -> String? {
    guard let secure = secureURL(text), let text, let parts = URLComponents(string: text) else { return nil }
    let host = parts.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) ?? ""
    return parts.scheme?.lowercased() == "http" && NetworkHost.isLoopback(host) ? text : secure
}

extension [ClassificationResponse] {
    /// The item marked as primary, or else the first.
    var preferred: ClassificationResponse? {
        first(where: \.isPrimary) ?? first
    }
}
