/// An attraction (an artist, a team, a festival) as Ticketmaster sends it.
struct AttractionResponse: Decodable {
    var id: String
    var name: String
    var isTest: Bool
    var aliases: [String]
    var images: [ImageResponse]
    var classifications: [ClassificationResponse]
    /// Links by kind: `spotify`, `musicbrainz`, `homepage` …
    var externalLinks: [String: [ExternalLinkResponse]]
    var upcomingEventTotal: Int?

    private enum Keys: String, CodingKey {
        case id, name, test, aliases, images, classifications, externalLinks, upcomingEvents
    }
    private enum UpcomingKeys: String, CodingKey { case total = "_total" }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        guard let id = container.identifier(.id), let name = container.text(.name) else {
            throw DecodingError.keyNotFound(
                Keys.id,
                .init(codingPath: container.codingPath, debugDescription: "an attraction needs an id and a name"))
        }
        self.id = id
        self.name = name
        isTest = container.flag(.test)
        aliases = container.list(String.self, .aliases).compactMap(\.trimmed)
        images = container.list(ImageResponse.self, .images)
        classifications = container.list(ClassificationResponse.self, .classifications)
        externalLinks = Self.links(in: container)
        let upcoming = try? container.nestedContainer(keyedBy: UpcomingKeys.self, forKey: .upcomingEvents)
        upcomingEventTotal = upcoming?.integer(.total)
    }

    private static func links(in container: KeyedDecodingContainer<Keys>) -> [String: [ExternalLinkResponse]] {
        guard let links = try? container.nestedContainer(keyedBy: AnyKey.self, forKey: .externalLinks) else {
            return [:]
        }
        return Dictionary(
            uniqueKeysWithValues: links.allKeys.map { key in
                (key.stringValue, links.list(ExternalLinkResponse.self, key))
            })
    }
}

struct ExternalLinkResponse: Decodable {
    var url: String?
    var id: String?

    private enum Keys: String, CodingKey { case url, id }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        url = container.text(.url)
        id = container.text(.id)
    }
}

/// A classification; any level may be missing, or be named "Undefined" or "Other".
struct ClassificationResponse: Decodable {
    var isPrimary: Bool
    var segment: String?
    var genre: String?
    var type: String?
    var subType: String?

    private enum Keys: String, CodingKey { case primary, segment, genre, type, subType }
    private struct Level: Decodable {
        var name: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        func name(_ key: Keys) -> String? {
            let name = container.lenient(Level.self, key)?.name?.trimmed
            return name?.lowercased() == "undefined" ? nil : name
        }
        isPrimary = container.flag(.primary)
        segment = name(.segment)
        genre = name(.genre)
        type = name(.type)
        subType = name(.subType)
    }
}

/// A key of an object whose keys are not known in advance.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
