import Model

/// An artist to whom a person listens.
package struct TopArtist: Sendable, Equatable {
    /// The folded name, by which artists of different people are the same.
    package let key: String
    package let name: String

    /// - Parameter name: as a source wrote it.
    /// - Returns: `nil` for a name without letters and digits.
    package init?(name: String) {
        let words = FoldedText.words(of: name)
        // Part of an index.
        let key = String(words.joined(separator: " ").prefix(100))
        guard !key.isEmpty, key.utf8.count <= 1_000 else { return nil }
        self.key = key
        self.name = String(name.prefix(200))
    }
}

/// Finds the artists to whom a person listens most, from the songs of their history one after the other.
package struct TopArtists: Sendable {
    /// The most artists of a person.
    package static let capacity = 20

    private var plays: [String: (artist: TopArtist, plays: Int)] = [:]

    package init() {}

    /// Adds the listens of a song.
    package mutating func add(_ name: String, plays count: Int) {
        guard count > 0, let artist = TopArtist(name: name) else { return }
        plays[artist.key, default: (artist, 0)].plays += count
    }

    /// The artists with the most listens, the most first; those with equally many by their keys.
    package var ranked: [TopArtist] {
        plays.values.sorted { ($1.plays, $0.artist.key) < ($0.plays, $1.artist.key) }
            .prefix(Self.capacity).map(\.artist)
    }
}
