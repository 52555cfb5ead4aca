extension DocumentWriter {
    /// Writes a venue, without the members that its record lacks.
    func writeVenue(_ index: Int32, to json: inout JSONWriter) {
        let venue = catalog.venues[Int(index)]
        json.object { json in
            writeHead(
                &json, name: venue.name, type: "venue", id: venue.id, test: false,
                url: "https://www.ticketmaster.example/venue/\(venue.id)")
            json.string("locale", locale)
            if let postalCode = venue.postalCode { json.string("postalCode", postalCode) }
            if let timezone = venue.timezone { json.string("timezone", timezone) }
            if let city = venue.city { json.object("city") { json in json.string("name", city) } }
            if let state = venue.state {
                json.object("state") { json in
                    json.string("name", state.name)
                    json.string("stateCode", state.code)
                }
            }
            json.object("country") { json in
                json.string("name", venue.countryName)
                json.string("countryCode", venue.countryCode)
            }
            if let address = venue.address { json.object("address") { json in json.string("line1", address) } }
            if let location = venue.location {
                // The coordinates are strings in all recordings; the placeholder is a bare zero.
                json.object("location") { json in
                    json.string("longitude", Self.coordinate(location.longitude))
                    json.string("latitude", Self.coordinate(location.latitude))
                }
            }
            writeUpcoming(Int(catalog.eventsByVenue[Int(index)]), to: &json)
            json.object("_links") { json in writeSelfLink(&json, "venues", venue.id) }
        }
    }

    func writeUpcoming(_ count: Int, to json: inout JSONWriter) {
        json.object("upcomingEvents") { json in
            if count > 0 { json.number("ticketmaster", count) }
            json.number("_total", count)
            json.number("_filtered", 0)
        }
    }

    private static func coordinate(_ degrees: Double) -> String {
        degrees == 0 ? "0" : String(degrees)
    }
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
