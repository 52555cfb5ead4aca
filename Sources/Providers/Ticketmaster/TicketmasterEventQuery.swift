import Foundation
import Model

/// A query for events, without its page.
package struct TicketmasterEventQuery: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// Matches the names of events, attractions and venues: imprecise for artists.
        case keyword(String)
        /// Events of any attraction with these ids.
        case attractions([String])
        /// Concerts in a city. `countryCode` is ISO 3166-1 alpha-2.
        case city(String, countryCode: String?)
        /// Concerts around a point.
        case near(GeoPoint, radiusKm: Int)
    }

    package var subject: Subject
    package var window: TicketmasterDateWindow?

    package init(_ subject: Subject, window: TicketmasterDateWindow? = nil) {
        self.subject = subject
        self.window = window
    }

    /// Ticketmaster's id of the segment Music. `classificationName=music` would also match film and arts.
    private static let musicSegment = "KZFzniwnSyZfZ7v7nJ"

    /// Ticketmaster's query parameters, without locale, page and key.
    var parameters: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)]
        switch subject {
        case .keyword(let keyword):
            // Best matches first: the artist's own events are on the first page.
            parameters = [("keyword", keyword), ("sort", "relevance,desc")]
        case .attractions(let ids):
            parameters = [("attractionId", ids.joined(separator: ",")), ("sort", "date,asc")]
        case .city(let city, let countryCode):
            parameters = [("city", city), ("segmentId", Self.musicSegment), ("sort", "date,asc")]
            if let countryCode { parameters.append(("countryCode", countryCode)) }
        case .near(let point, let radiusKm):
            parameters = [
                ("geoPoint", Geohash.encode(point, length: 9)), ("radius", String(radiusKm)), ("unit", "km"),
                ("segmentId", Self.musicSegment), ("sort", "date,asc"),
            ]
        }
        parameters += [("includeTBA", "yes"), ("includeTBD", "yes")]
        return parameters + (window?.parameters ?? [])
    }
}

/// A span of start times in whole seconds UTC. Both ends are inclusive; `nil` leaves an end open.
package struct TicketmasterDateWindow: Hashable, Sendable {
    package var start: Timestamp?
    package var end: Timestamp?

    package init(start: Timestamp?, end: Timestamp?) {
        self.start = start
        self.end = end
    }

    /// Any format but `YYYY-MM-DDTHH:mm:ssZ` is refused (DIS1015), including fractions of a second.
    var parameters: [(name: String, value: String)] {
        func text(_ moment: Timestamp) -> String { "\(moment.description.prefix(19))Z" }
        return [("startDateTime", start), ("endDateTime", end)].compactMap { name, moment in
            moment.map { (name, text($0)) }
        }
    }
}

/// Geohashes, the format of Ticketmaster's `geoPoint`.
package enum Geohash {
    private static let digits = Array("0123456789bcdefghjkmnpqrstuvwxyz")

    /// - Parameter length: the number of characters, at most 12; nine are exact to about five metres.
    package static func encode(_ point: GeoPoint, length: Int) -> String {
        var latitude = (low: -90.0, high: 90.0)
        var longitude = (low: -180.0, high: 180.0)
        /// Halves the range around the value; returns 1 for the upper half, 0 for the lower.
        func bit(_ value: Double, _ range: inout (low: Double, high: Double)) -> Int {
            let middle = (range.low + range.high) / 2
            if value >= middle {
                range.low = middle
                return 1
            }
            range.high = middle
            return 0
        }
        return String(
            (0..<min(length, 12)).map { position in
                let index = (0..<5).reduce(0) { index, step in
                    // Bits alternate over the whole text, longitude first.
                    let isLongitude = (position * 5 + step).isMultiple(of: 2)
                    return index * 2
                        + (isLongitude ? bit(point.longitude, &longitude) : bit(point.latitude, &latitude))
                }
                return digits[index]
            })
    }
}
