import Platform

/// An attraction, with external links if it has any.
struct AttractionDocument: Encodable {
    /// A page of a service, or the id of the attraction there.
    struct ExternalLink: Encodable {
        var url: String?
        var id: String?
    }

    struct ExternalLinks: Encodable {
        var youtube: [ExternalLink]
        var twitter: [ExternalLink]
        var itunes: [ExternalLink]
        var wiki: [ExternalLink]
        var facebook: [ExternalLink]
        var spotify: [ExternalLink]
        var instagram: [ExternalLink]
        var homepage: [ExternalLink]
        var musicbrainz: [ExternalLink]
    }

    var name: String
    let type = "attraction"
    var id: String
    let test = false
    var url: String
    var locale: String
    var externalLinks: ExternalLinks?
    var aliases: [String]?
    var images: [ImageDocument?]
    var classifications: [ClassificationDocument?]?
    var upcomingEvents: UpcomingEventsDocument?
    var links: LinksDocument

    enum CodingKeys: String, CodingKey {
        case name, type, id, test, url, locale, externalLinks, aliases, images, classifications, upcomingEvents
        case links = "_links"
    }
}

extension TicketmasterDocuments {
    func attraction(_ index: Int32) -> AttractionDocument {
        let attraction = catalog.attractions[Int(index)]
        let id = attraction.id
        let isCounted = !attraction.traits.contains(.uncounted)
        return AttractionDocument(
            name: attraction.name, id: id, url: "https://www.ticketmaster.example/artist/\(id)", locale: locale,
            externalLinks: attraction.traits.contains(.linked) ? externalLinks(of: attraction) : nil,
            aliases: attraction.aliases.isEmpty ? nil : attraction.aliases,
            images: images(of: attraction.traits.contains(.pictured) ? id : nil),
            classifications: classifications(attraction.classification),
            upcomingEvents: isCounted ? UpcomingEventsDocument(catalog.eventsByAttraction[Int(index)].count) : nil,
            links: LinksDocument(own: link(.attractions, id)))
    }

    /// Ids in the form of each service, derived from the attraction's id.
    private func externalLinks(of attraction: Attraction) -> AttractionDocument.ExternalLinks {
        var numbers = SeededGenerator(seed: 2, stream: attraction.id)
        let word = SearchText.required(attraction.name).joined()
        let spotify = numbers.text(22, of: .base62)
        let musicBrainz = [8, 4, 4, 4, 12].map { numbers.text($0, of: .hexadecimal) }.joined(separator: "-")
        let apple = numbers.number(in: 100_000...999_999_999)
        let query = numbers.chance(20) ? "?autoplay=true" : ""
        func page(_ url: String) -> [AttractionDocument.ExternalLink] { [.init(url: url)] }
        return AttractionDocument.ExternalLinks(
            youtube: page("https://www.youtube.com/user/\(word)"), twitter: page("https://twitter.com/\(word)"),
            itunes: page("https://music.apple.com/us/artist/\(word)/\(apple)"),
            wiki: page("https://en.wikipedia.org/wiki/\(word)"), facebook: page("https://www.facebook.com/\(word)"),
            spotify: page("https://open.spotify.com/artist/\(spotify)\(query)"),
            instagram: page("https://www.instagram.com/\(word)/"), homepage: page("https://www.\(word).example/"),
            musicbrainz: [.init(id: musicBrainz)])
    }
}
