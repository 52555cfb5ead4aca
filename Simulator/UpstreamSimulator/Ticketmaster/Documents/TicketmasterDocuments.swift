/// Makes the documents of the Discovery API from the entries of a catalog.
struct TicketmasterDocuments {
    /// A fault within an otherwise correct answer.
    enum Malformation: Sendable {
        case nullItems
        case malformedItem
    }

    /// The collections of the API.
    enum Kind: String, Sendable {
        case events, attractions, venues
    }

    let catalog: TicketmasterCatalog
    /// The address of the pictures, without a trailing slash.
    let origin: String
    /// The `locale` of the links.
    let locale = "en-us"
    let area: SearchArea?
    let malformation: Malformation?

    init(catalog: TicketmasterCatalog, origin: String, area: SearchArea? = nil, malformation: Malformation? = nil) {
        self.catalog = catalog
        self.origin = origin
        self.area = area
        self.malformation = malformation
    }

    func entry(_ index: Int32, of kind: Kind) -> EntryDocument {
        switch kind {
        case .events: .event(event(index))
        case .attractions: .attraction(attraction(index))
        case .venues: .venue(venue(index))
        }
    }

    /// The list inside of an entry, which begins with a null if the answer is to contain nulls.
    func list<Element>(_ elements: [Element]) -> [Element?] {
        malformation == .nullItems ? [nil] + elements : elements
    }

    func link(_ kind: Kind, _ id: String) -> LinkDocument {
        LinkDocument(href: "/discovery/v2/\(kind.rawValue)/\(id)?locale=\(locale)")
    }
}

struct LinkDocument: Encodable {
    var href: String
}

/// The `_links` of an entry: its own, and those of the entries that it refers to.
struct LinksDocument: Encodable {
    var own: LinkDocument
    var attractions: [LinkDocument]?
    var venues: [LinkDocument]?

    enum CodingKeys: String, CodingKey {
        case own = "self"
        case attractions, venues
    }
}

/// An entry of a collection.
enum EntryDocument: Encodable {
    case event(EventDocument)
    case attraction(AttractionDocument)
    case venue(VenueDocument)
    case malformed(MalformedDocument)

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .event(let document): try document.encode(to: encoder)
        case .attraction(let document): try document.encode(to: encoder)
        case .venue(let document): try document.encode(to: encoder)
        case .malformed(let document): try document.encode(to: encoder)
        }
    }
}

/// An entry whose members have wrong types.
struct MalformedDocument: Encodable {
    let name = 7
    let type: String
    let id: [String] = []
    let dates = "soon"
    let images = "none"
    let embedded = [true]

    /// - Parameter kind: whose singular is the type.
    init(_ kind: TicketmasterDocuments.Kind) { type = String(kind.rawValue.dropLast()) }

    enum CodingKeys: String, CodingKey {
        case name, type, id, dates, images
        case embedded = "_embedded"
    }
}
