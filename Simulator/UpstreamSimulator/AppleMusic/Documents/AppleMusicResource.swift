/// An item of the catalog or of a library.
struct AppleMusicResource: Encodable {
    struct Relationships: Encodable {
        var albums: AppleMusicListDocument?
        var artists: AppleMusicListDocument?
        var tracks: AppleMusicListDocument?
        /// The counterpart of a library's item.
        var catalog: AppleMusicListDocument?
    }

    var id: String
    var type: String
    var href: String
    /// Absent in a reference, and from some songs of a library.
    var attributes: (any Encodable)?
    var relationships: Relationships?

    private enum CodingKeys: String, CodingKey {
        case id, type, href, attributes, relationships
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        try container.encode(href, forKey: .href)
        if let attributes { try container.encode(attributes, forKey: .attributes) }
        try container.encodeIfPresent(relationships, forKey: .relationships)
    }
}

/// A list of resources, or a part of one.
struct AppleMusicListDocument: Encodable {
    struct Meta: Encodable {
        /// The number of items that the service counts, including those that it shows on no page.
        var total: Int
    }

    /// Only in relationships and searches.
    var href: String?
    var next: String?
    var data: [AppleMusicResource]
    var meta: Meta?
}

/// The lists of a search, for each type that has results.
struct AppleMusicSearchDocument: Encodable {
    struct Results: Encodable {
        var songs: AppleMusicListDocument?
        var albums: AppleMusicListDocument?
        var artists: AppleMusicListDocument?
    }

    struct Meta: Encodable {
        struct Order: Encodable {
            var order: [String]
            var rawOrder: [String]
        }

        var results: Order
    }

    var results: Results
    var meta: Meta
}
