import Storage
import Visibility

/// Somebody or something that items are from: a person, or a topic such as a city.
package struct TimelineAuthor: RawRepresentable, Hashable, Sendable, SQLConvertible {
    /// A person's key, which is positive, or a topic's, which is negative.
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package init(_ person: PersonKey) { self.init(rawValue: person.rawValue) }

    var isPerson: Bool { rawValue > 0 }
}

/// What items are about when they are from nobody. Whoever reads a topic has its items in the feed.
package struct TimelineTopic: Hashable, Sendable {
    /// Unique among all topics. Part of an index, so that a longer key is cut off.
    package let name: String

    private init(_ kind: String, _ key: String) {
        name = kind + ":" + String(String.UnicodeScalarView(key.unicodeScalars.prefix(250)))
    }

    /// A topic as it was stored.
    init(name: String) { self.name = name }

    /// The concerts of an artist, for those who rank the artist.
    ///
    /// - Parameter key: the folded name (`FoldedName`).
    package static func artist(key: String) -> TimelineTopic { TimelineTopic("artist", key) }

    /// The releases of an artist, for those who rank the artist or listen much to them.
    ///
    /// - Parameter key: the folded name (`FoldedName`).
    package static func releases(ofArtist key: String) -> TimelineTopic { TimelineTopic("releases", key) }

    /// The concerts in a city and around it, for those whose home city it is.
    ///
    /// - Parameter key: the place that a search for concerts nearby asks about, the same for everybody there.
    package static func city(key: String) -> TimelineTopic { TimelineTopic("city", key) }
}

/// Why somebody reads a topic. A topic may be read for several reasons, and is read until the last of them ends.
package enum TopicReason: Int64, Sendable, CaseIterable, SQLConvertible {
    case homeCity = 1
    /// The person ranks the artist.
    case rankedArtist = 2
    /// The artist is among those to whom the person listens most.
    case topArtist = 3
}
