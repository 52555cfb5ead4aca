/// A place where events happen. Whatever is optional here is missing in some real records.
package struct Venue: Sendable {
    package struct State: Sendable, Equatable {
        package var code: String
        package var name: String
    }

    package var id: String
    package var name: String?
    /// The city as Ticketmaster has it, such as `Praha 9` or ` Long Beach`.
    package var city: String?
    package var state: State?
    package var countryCode: String
    package var countryName: String
    package var address: String?
    package var postalCode: String?
    package var timezone: String?
    /// The location in degrees; 0,0 is a placeholder in some records.
    package var location: GeoPoint?
}

/// A point on the globe, in degrees.
package struct GeoPoint: Sendable, Equatable {
    package var latitude: Double
    package var longitude: Double
}

extension Venue {
    /// The currency of the venue's ticket prices.
    var currency: String {
        switch countryCode {
        case "US": "USD"
        case "CA": "CAD"
        case "GB": "GBP"
        case "CZ": "CZK"
        case "PL": "PLN"
        case "AU": "AUD"
        case "CH": "CHF"
        case "JP": "JPY"
        case "SE": "SEK"
        case "NO": "NOK"
        case "DK": "DKK"
        case "HU": "HUF"
        case "RO": "RON"
        default: "EUR"
        }
    }
}
