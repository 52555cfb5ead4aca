/// A page of events, the answer of `/events.json`.
struct EventListResponse: Decodable {
    var events: LenientList<EventResponse>
    var page: PageResponse?

    private enum Keys: String, CodingKey {
        case embedded = "_embedded"
        case page
    }
    private enum EmbeddedKeys: String, CodingKey { case events }

    /// Throws when the document is not a page. An empty page has no `_embedded`.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        (events, page) = try container.items(EmbeddedKeys.events, embedded: .embedded, page: .page)
    }
}

/// A page of attractions, the answer of `/attractions.json`.
struct AttractionListResponse: Decodable {
    var attractions: LenientList<AttractionResponse>
    var page: PageResponse?

    private enum Keys: String, CodingKey {
        case embedded = "_embedded"
        case page
    }
    private enum EmbeddedKeys: String, CodingKey { case attractions }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        (attractions, page) = try container.items(EmbeddedKeys.attractions, embedded: .embedded, page: .page)
    }
}

extension KeyedDecodingContainer {
    /// The embedded list and the page's numbers.
    ///
    /// A document that has neither is refused: interpreted as "no events", it would be stored for hours.
    fileprivate func items<Element: Decodable, EmbeddedKey: CodingKey>(
        _ key: EmbeddedKey, embedded: Key, page: Key
    ) throws -> (LenientList<Element>, PageResponse?) {
        let numbers = lenient(PageResponse.self, page)
        guard contains(embedded), try !decodeNil(forKey: embedded) else {
            guard let numbers else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: codingPath, debugDescription: "neither items nor page numbers"))
            }
            return (LenientList(), numbers)
        }
        let inner = try nestedContainer(keyedBy: EmbeddedKey.self, forKey: embedded)
        return (try inner.decodeIfPresent(LenientList<Element>.self, forKey: key) ?? LenientList(), numbers)
    }
}

/// The numbers of a page.
struct PageResponse: Decodable {
    var number: Int?
    var size: Int?
    var totalElements: Int?
    var totalPages: Int?

    private enum Keys: String, CodingKey { case number, size, totalElements, totalPages }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        number = container.integer(.number)
        size = container.integer(.size)
        totalElements = container.integer(.totalElements)
        totalPages = container.integer(.totalPages)
    }
}
