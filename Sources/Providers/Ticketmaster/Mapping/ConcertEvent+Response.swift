import Foundation
import Model

extension ConcertEvent {
    /// `nil` when the event has no name, and no attraction whose name it could have.
    init?(_ response: EventResponse) {
        let billed = response.attractions.filter { !$0.isTest }
        guard let name = response.name ?? billed.first?.name else { return nil }
        let venue = response.venues.first.map(ConcertVenue.init)
        let zone = response.dates?.timezone ?? venue?.timezone
        let classification = response.classifications.preferred
        let start = EventStart(response.dates?.start, zone: zone)
        let initialDate = EventStart(response.dates?.initialStart, zone: zone).date
        let endDate = EventStart(response.dates?.end, zone: zone).date.flatMap { end in
            start.date.map { end > $0 } == true ? end : nil
        }
        self.init(
            id: response.id,
            name: name,
            kind: EventKindRules.kind(
                name: name, classifications: response.classifications, performers: billed.map(\.name),
                days: start.date.flatMap { first in endDate.map { first.days(to: $0) + 1 } } ?? 1),
            attractions: billed.map {
                Performer(id: $0.id, name: $0.name, imageURL: ImageResponse.best(of: $0.images))
            },
            venue: venue,
            localDate: start.date,
            localTime: start.time,
            timeTBA: start.timeTBA,
            // A postponed event may have only its former date; the new one is to be announced.
            dateTBA: start.dateTBA || (start.date == nil && initialDate != nil),
            initialDate: initialDate,
            endDate: endDate,
            spansMultipleDays: response.dates?.spansMultipleDays == true || endDate != nil,
            status: ConcertStatus(code: response.dates?.statusCode),
            priceRange: PriceRange(response.priceRanges),
            ticketURL: secureURL(response.url),
            imageURL: ImageResponse.best(of: response.images),
            segment: classification?.segment,
            genre: classification?.genre)
    }
}

/// The day and time of `dates.start` and similar objects.
private struct EventStart {
    var date: LocalDate?
    var time: LocalTime?
    var timeTBA = false
    var dateTBA = false

    init(_ response: DateResponse?, zone: String?) {
        guard let response else { return }
        dateTBA = response.dateTBA || response.dateTBD
        timeTBA = response.timeTBA
        // A date that is to be announced is a placeholder, even if one is given.
        guard !response.dateTBA else { return }
        let local = Self.local(response.dateTime, zone: zone)
        date = Self.real(response.localDate.flatMap { LocalDate($0) }) ?? Self.real(local?.date)
        if date != nil, !response.timeTBA, !response.noSpecificTime {
            time = response.localTime.flatMap { LocalTime($0) } ?? local?.time
        }
    }

    /// 1900-01-01 stands for "unknown" in many of Ticketmaster's records.
    private static func real(_ date: LocalDate?) -> LocalDate? {
        date.flatMap { $0.year > 1900 ? $0 : nil }
    }

    private static func local(_ dateTime: String?, zone: String?) -> (date: LocalDate, time: LocalTime)? {
        guard let dateTime, let zone, let moment = Timestamp(rfc3339: dateTime), let zone = TimeZone(identifier: zone)
        else { return nil }
        let seconds = Int(moment.microseconds / 1_000_000)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let shifted = seconds + offset
        // bounded: RFC 3339 has four digits for the year.
        let day = Int((Double(shifted) / 86_400).rounded(.down))
        guard let date = LocalDate(dayNumber: day), let time = LocalTime(secondOfDay: shifted - day * 86_400) else {
            return nil
        }
        return (date, time)
    }
}

extension ConcertEvent.PriceRange {
    /// The span of the price ranges of one type and currency. Standard prices are preferred to those with fees.
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
/// Old records have `http` URLs, whose addresses are also served over TLS.
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
/// a stand-in for Ticketmaster gives.
func pictureURL(_ text: String?) -> String? {
    guard let secure = secureURL(text), let text, let parts = URLComponents(string: text) else { return nil }
    let host = parts.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) ?? ""
    return parts.scheme?.lowercased() == "http" && NetworkHost.isLoopback(host) ? text : secure
}

extension [ClassificationResponse] {
    /// The item marked as primary, else the first.
    var preferred: ClassificationResponse? {
        first(where: \.isPrimary) ?? first
    }
}
