import Concerts
import Gateway
import Model
import Platform

/// A show with all that is known of it, in the API.
struct ShowDetailResource {
    let detail: ShowDetail
    let pictures: PicturePaths

    var json: [UInt8] {
        JSONWriter.object { json in
            let (item, event) = (detail.item, detail.event)
            json.member("id", item.id)
            json.member("name", item.name)
            json.member("artistName", item.artistName)
            json.member("picture", pictures.path(of: item.artistImageURL))
            json.member("bill") { json in
                json.array(detail.bill) { json, performer in
                    json.object {
                        $0.member("name", performer.name)
                        $0.member("picture", pictures.path(of: performer.imageURL))
                    }
                }
            }
            json.member("venue") { json in
                guard let venue = event.venue else { return json.raw("null") }
                write(venue, to: &json)
            }
            writeTimes(to: &json)
            json.member("status", item.status.code)
            json.member("isOnSale", event.isOnSale(at: .now()))
            json.member("saleStartsAt", event.saleStartsAt)
            json.member("isHomeCity", item.isHomeCity)
            json.member("priceRange", item.priceRange)
            json.member("ticketURL", item.ticketURL)
            json.member("extras") { json in
                json.array(item.extras) { json, extra in
                    json.object {
                        $0.member("name", extra.name)
                        $0.member("kind", extra.kind.rawValue)
                        $0.member("ticketURL", extra.ticketURL)
                    }
                }
            }
            writeHistory(to: &json)
        }
    }

    private func write(_ venue: ConcertVenue, to json: inout JSONWriter) {
        json.object { json in
            json.member("name", venue.name)
            json.member("address", venue.address)
            json.member("city", venue.city)
            json.member("state", venue.state)
            json.member("country", venue.country)
            json.member("countryCode", venue.countryCode)
            json.member("timeZone", venue.timezone)
            json.member("mapURL", venue.mapURL)
        }
    }

    private func writeTimes(to json: inout JSONWriter) {
        let event = detail.event
        json.member("localDate", event.localDate?.description)
        json.member("localTime", event.localTime?.description)
        json.member("endDate", event.endDate?.description)
        json.member("initialDate", event.initialDate?.description)
        json.member("doorsAt", event.doorsAt?.description)
        json.member("dateTBA", event.dateTBA)
        json.member("timeTBA", event.timeTBA)
        json.member("startsAt", event.startsAt)
        json.member("endsAt", event.endsAt)
    }

    private func writeHistory(to json: inout JSONWriter) {
        let history = detail.history
        json.member("firstSeenAt", history.firstSeenAt)
        json.member("onSaleAt", history.onSaleAt)
        json.member("movedAt", history.movedAt)
        json.member("cancelledAt", history.cancelledAt)
        json.member("checkedAt", history.checkedAt)
        json.member("history") { json in
            json.array(history.news) { json, news in json.object { news.write(to: &$0) } }
        }
    }
}

extension ShowNews {
    /// Writes what happened, as members of an object.
    func write(to json: inout JSONWriter) {
        json.member("revision", revision)
        json.member("reason", reason.name)
        json.member("at", at)
        json.member("changes") { json in
            json.array(changes) { json, change in
                json.object {
                    $0.member("field", change.field.rawValue)
                    $0.member("from", change.from)
                    $0.member("to", change.to)
                }
            }
        }
    }
}

extension ConcertVenue {
    /// A map of the place at OpenStreetMap: the place itself, or a search for it. `nil` when neither is known.
    var mapURL: String? {
        let site = "https://www.openstreetmap.org"
        if let location {
            let (latitude, longitude) = (Self.degrees(location.latitude), Self.degrees(location.longitude))
            return "\(site)/?mlat=\(latitude)&mlon=\(longitude)#map=17/\(latitude)/\(longitude)"
        }
        let words = [name, address, city, countryCode].compactMap { $0 }
        // A name alone is found anywhere.
        guard city != nil, words.count > 1 else { return nil }
        return "\(site)/search?query=\(words.joined(separator: ", ").percentEncoded)"
    }

    /// With five decimals, which are about a meter. The reader of locations bounds the value.
    private static func degrees(_ value: Double) -> String {
        String((value * 100_000).rounded() / 100_000)
    }
}
