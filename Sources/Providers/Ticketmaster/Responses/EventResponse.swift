/// An event as Ticketmaster sends it. Everything but the id may be missing.
struct EventResponse: Decodable {
    var id: String
    var name: String?
    var url: String?
    /// The system that sells the tickets: `ticketmaster`, `universe`, `frontgate`, `tmr` …
    var source: String?
    var isTest: Bool
    var images: [ImageResponse]
    var dates: DatesResponse?
    /// When the doors open, which few sellers say.
    var doors: DateResponse?
    var sales: SalesResponse?
    var classifications: [ClassificationResponse]
    var priceRanges: [PriceRangeResponse]
    var venues: [VenueResponse]
    var attractions: [AttractionResponse]

    private enum Keys: String, CodingKey {
        case id, name, url, source, test, images, dates, sales, classifications, priceRanges
        case doors = "doorsTimes"
        case embedded = "_embedded"
    }
    private enum EmbeddedKeys: String, CodingKey { case venues, attractions }
    private struct Source: Decodable {
        var id: String?
        var name: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        guard let id = container.identifier(.id) else {
            throw DecodingError.keyNotFound(
                Keys.id, .init(codingPath: container.codingPath, debugDescription: "an event needs an id"))
        }
        self.id = id
        name = container.text(.name)
        url = container.text(.url)
        let source = container.lenient(Source.self, .source)
        self.source = container.text(.source) ?? source?.id?.trimmed ?? source?.name?.trimmed
        isTest = container.flag(.test)
        images = container.list(ImageResponse.self, .images)
        dates = container.lenient(DatesResponse.self, .dates)
        doors = container.lenient(DateResponse.self, .doors)
        sales = container.lenient(SalesResponse.self, .sales)
        classifications = container.list(ClassificationResponse.self, .classifications)
        priceRanges = container.list(PriceRangeResponse.self, .priceRanges)
        let embedded = try? container.nestedContainer(keyedBy: EmbeddedKeys.self, forKey: .embedded)
        venues = embedded?.list(VenueResponse.self, .venues) ?? []
        attractions = embedded?.list(AttractionResponse.self, .attractions) ?? []
    }
}

struct DatesResponse: Decodable {
    var start: DateResponse?
    var initialStart: DateResponse?
    var end: DateResponse?
    var timezone: String?
    var statusCode: String?
    var spansMultipleDays: Bool

    private enum Keys: String, CodingKey {
        case start, end, timezone, status, spanMultipleDays, initialStartDate
    }
    private enum StatusKeys: String, CodingKey { case code }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        start = container.lenient(DateResponse.self, .start)
        initialStart = container.lenient(DateResponse.self, .initialStartDate)
        end = container.lenient(DateResponse.self, .end)
        timezone = container.text(.timezone)
        spansMultipleDays = container.flag(.spanMultipleDays)
        let status = try? container.nestedContainer(keyedBy: StatusKeys.self, forKey: .status)
        statusCode = status?.text(.code)
    }
}

struct DateResponse: Decodable {
    var localDate: String?
    var localTime: String?
    var dateTime: String?
    var dateTBD: Bool
    var dateTBA: Bool
    var timeTBA: Bool
    var noSpecificTime: Bool
    /// For an end: whether it is only an estimate.
    var isApproximate: Bool

    private enum Keys: String, CodingKey {
        case localDate, localTime, dateTime, dateTBD, dateTBA, timeTBA, noSpecificTime, approximate
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        localDate = container.text(.localDate)
        localTime = container.text(.localTime)
        dateTime = container.text(.dateTime)
        dateTBD = container.flag(.dateTBD)
        dateTBA = container.flag(.dateTBA)
        timeTBA = container.flag(.timeTBA)
        noSpecificTime = container.flag(.noSpecificTime)
        isApproximate = container.flag(.approximate)
    }
}

/// When tickets are sold to the public.
struct SalesResponse: Decodable {
    /// RFC 3339.
    var startDateTime: String?
    /// Whether the start is to be determined, or to be announced.
    var isToBeAnnounced: Bool

    private enum Keys: String, CodingKey { case `public` }
    private enum PublicKeys: String, CodingKey { case startDateTime, startTBD, startTBA }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let sale = try? container.nestedContainer(keyedBy: PublicKeys.self, forKey: .public)
        startDateTime = sale?.text(.startDateTime)
        isToBeAnnounced = [sale?.flag(.startTBD), sale?.flag(.startTBA)].contains(true)
    }
}

struct PriceRangeResponse: Decodable {
    var type: String?
    var currency: String?
    var min: Double?
    var max: Double?

    private enum Keys: String, CodingKey { case type, currency, min, max }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        type = container.text(.type)
        currency = container.text(.currency)
        min = container.lenient(Double.self, .min)
        max = container.lenient(Double.self, .max)
    }
}

struct ImageResponse: Decodable {
    var url: String
    var ratio: String?
    var width: Int?
    var isFallback: Bool

    private enum Keys: String, CodingKey { case url, ratio, width, fallback }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        url = try container.decode(String.self, forKey: .url)
        ratio = container.text(.ratio)
        width = container.integer(.width)
        isFallback = container.flag(.fallback)
    }
}
