import Model
import Storage
import Timeline

/// What a person watches: a ranked artist anywhere, or the home city.
package struct WatchedTopic: Hashable, Sendable {
    /// The parts of a person's feed that shows are in.
    package enum Part: Int64, Sendable, CaseIterable, SQLConvertible {
        case artists = 1
        case nearby = 2

        /// The name in the API.
        package var name: String { self == .artists ? "artists" : "nearby" }
    }

    package let part: Part
    package let topic: TimelineTopic
    /// The subject that is looked up for it.
    package let subjectKey: String
    /// The key of the topic among artists, or among cities.
    package let topicKey: String
    /// As the person wrote it.
    package let name: String
    /// What a lookup asks for: the name, without what the person may have added to a city.
    let question: String

    /// Namesakes at Spotify are different subjects, and share the topic of their name.
    package init(_ artist: RankedArtist) {
        part = .artists
        topicKey = FoldedName(artist.name).key
        topic = .artist(key: topicKey)
        subjectKey = ConcertSearches.key(ofArtist: artist.name, spotifyID: artist.spotify?.id)
        (name, question) = (artist.name, artist.name)
    }

    /// - Parameter city: a person's home city, which is free text.
    /// - Returns: `nil` when it is not the name of a city.
    package init?(homeCity city: String, names: CityNames) {
        guard let home = HomeCity(city, names: names) else { return nil }
        part = .nearby
        topicKey = home.topicKey
        topic = .city(key: topicKey)
        subjectKey = ConcertSearches.key(ofCity: home.key, radius: ConcertSearches.standardRadius)
        name = city
        question = CityNames.withoutQualifiers(city)
    }
}

extension TimelineTopic {
    private static let cityPrefix = TimelineTopic.city(key: "").name
    private static let artistPrefix = TimelineTopic.artist(key: "").name

    /// A topic of concerts by its name.
    init?(ofConcerts name: String) {
        if name.hasPrefix(Self.cityPrefix) {
            self = .city(key: String(name.dropFirst(Self.cityPrefix.count)))
        } else if name.hasPrefix(Self.artistPrefix) {
            self = .artist(key: String(name.dropFirst(Self.artistPrefix.count)))
        } else {
            return nil
        }
    }

    /// The city of a topic; `nil` for an artist.
    var homeCity: HomeCity? {
        name.hasPrefix(Self.cityPrefix) ? HomeCity(topicKey: String(name.dropFirst(Self.cityPrefix.count))) : nil
    }
}
