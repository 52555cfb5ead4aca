/// An event with its venue and attractions.
struct EventDocument: Encodable {
    struct Promoter: Encodable {
        var id: String
        let name = "PROMOTED BY VENUE"
    }

    struct PriceRange: Encodable {
        var type: String
        var currency: String
        var min: Double
        var max: Double
    }

    struct Product: Encodable {
        var name: String
        var id: String
        var url: String
        var type: String
        let classifications = [ClassificationDocument(.upsell)]
    }

    struct AgeRestrictions: Encodable {
        let legalAgeEnforced = false
    }

    struct TicketLimit: Encodable {
        let info = "There is a limit of 10 tickets per customer."
    }

    struct Seatmap: Encodable {
        var staticUrl: String
    }

    struct Ticketing: Encodable {
        struct Feature: Encodable {
            var enabled: Bool
        }

        var safeTix: Feature
        let allInclusivePricing = Feature(enabled: false)
    }

    /// When the doors open.
    struct Doors: Encodable {
        var localDate: String
        var localTime: String
    }

    struct Embedded: Encodable {
        var venues: [VenueDocument?]
        var attractions: [AttractionDocument?]?
    }

    var name: String
    let type = "event"
    var id: String
    var test: Bool
    var url: String
    var locale: String
    var images: [ImageDocument?]
    var distance: Double?
    var units: String?
    var sales: SalesDocument
    var dates: DatesDocument
    var classifications: [ClassificationDocument?]?
    var promoter: Promoter?
    var info: String?
    var pleaseNote: String?
    var priceRanges: [PriceRange]?
    var products: [Product]?
    let accessibility: [String: String] = [:]
    let ageRestrictions = AgeRestrictions()
    var ticketLimit: TicketLimit?
    var doorsTimes: Doors?
    var seatmap: Seatmap?
    var ticketing: Ticketing
    var links: LinksDocument
    var embedded: Embedded?

    enum CodingKeys: String, CodingKey {
        case name, type, id, test, url, locale, images, distance, units, sales, dates, classifications, promoter, info
        case pleaseNote, priceRanges, products, accessibility, ageRestrictions, ticketLimit, doorsTimes, seatmap
        case ticketing
        case links = "_links"
        case embedded = "_embedded"
    }
}

extension EventDocument.Doors {
    /// An hour before the start, if that is known and on the same day.
    fileprivate init?(of event: Event) {
        guard let day = event.day, let minute = event.minute, minute >= 60 else { return nil }
        localDate = day.description
        localTime = DatesDocument.Start.time(minute - 60)
    }
}

extension TicketmasterDocuments {
    func event(_ index: Int32) -> EventDocument {
        let event = catalog.events[Int(index)]
        let venue = catalog.venues[Int(event.venue)]
        let distance = area?.distance(to: venue.location)
        // The members that only some recordings have. Each draw changes those after it.
        var numbers = SeededGenerator(seed: 1, stream: event.id)
        let promoter = numbers.chance(70) ? String(numbers.number(in: 100...9_999)) : nil
        let hasInfo = numbers.chance(30)
        let hasNote = numbers.chance(20)
        let prices = event.traits.contains(.priced) ? priceRanges(in: venue.currency, &numbers) : nil
        let hasLimit = numbers.chance(60)
        let hasSafeTix = numbers.chance(50)
        return EventDocument(
            name: event.name, id: event.id, test: event.traits.contains(.test),
            url: "https://www.ticketmaster.example/event/\(event.id)", locale: event.locale,
            images: images(of: event.id, hasUnknownRatio: event.traits.contains(.unknownValues)),
            distance: distance.map { ($0 * 100_000).rounded() / 100_000 },
            units: distance.map { _ in area?.unit == .miles ? "MILES" : "KILOMETERS" },
            sales: SalesDocument(Sales(event: event, today: catalog.today)),
            dates: DatesDocument(event, timezone: venue.timezone),
            classifications: classifications(event.classification),
            promoter: promoter.map { EventDocument.Promoter(id: $0) },
            info: hasInfo ? "Doors open one hour before the start." : nil,
            pleaseNote: hasNote ? "No re-entry.\nBags larger than A4 are not admitted." : nil, priceRanges: prices,
            products: products(of: event), ticketLimit: hasLimit ? EventDocument.TicketLimit() : nil,
            doorsTimes: hasInfo ? EventDocument.Doors(of: event) : nil,
            seatmap: hasLimit ? .init(staticUrl: "https://maps.ticketmaster.example/maps/\(event.id).png") : nil,
            ticketing: .init(safeTix: .init(enabled: hasSafeTix)), links: links(of: event),
            embedded: event.traits.contains(.bare) ? nil : embedded(in: event))
    }

    private func priceRanges(in currency: String, _ numbers: inout SeededGenerator) -> [EventDocument.PriceRange] {
        let lowest = Double(numbers.number(in: 1_900...8_900)) / 100
        return [("standard", 0.0), ("standard including fees", 7.5)].map { kind, surcharge in
            EventDocument.PriceRange(
                type: kind, currency: currency, min: lowest + surcharge, max: lowest * 2 + surcharge)
        }
    }

    private func products(of event: Event) -> [EventDocument.Product]? {
        let hasUnknownType = event.traits.contains(.unknownValues)
        guard hasUnknownType || event.traits.contains(.upsell) else { return nil }
        return [
            EventDocument.Product(
                name: event.name, id: String(event.id.reversed()),
                url: "https://www.ticketmaster.example/event/\(event.id)",
                type: hasUnknownType ? "Hologram" : "Upsell")
        ]
    }

    private func links(of event: Event) -> LinksDocument {
        let attractions = event.attractions.map { link(.attractions, catalog.attractions[Int($0)].id) }
        return LinksDocument(
            own: link(.events, event.id), attractions: attractions.isEmpty ? nil : attractions,
            venues: [link(.venues, catalog.venues[Int(event.venue)].id)])
    }

    private func embedded(in event: Event) -> EventDocument.Embedded {
        EventDocument.Embedded(
            venues: list([venue(event.venue)]),
            attractions: event.attractions.isEmpty ? nil : list(event.attractions.map { attraction($0) }))
    }
}
