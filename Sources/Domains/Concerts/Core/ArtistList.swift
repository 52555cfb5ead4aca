import Model

/// A person's ranked artists: at most 20, with ranks 1…n, each only once.
///
/// A change that throws leaves the list unchanged.
package struct ArtistList: Hashable, Sendable {
    package static let capacity = 20

    private struct Entry: Hashable, Sendable {
        var id: String
        var name: ArtistName
        var spotify: SpotifyArtist?

        func artist(at rank: Int) -> RankedArtist {
            RankedArtist(id: id, name: name.text, rank: rank, spotify: spotify)
        }
    }

    /// An artist to add to a list. A literal is a name.
    package struct Addition: Sendable, ExpressibleByStringLiteral {
        package var name: String
        /// `nil` when it is unknown.
        package var spotify: SpotifyArtist?

        package init(name: String, spotify: SpotifyArtist? = nil) {
            self.name = name
            self.spotify = spotify
        }

        package init(stringLiteral name: String) { self.init(name: name) }
    }

    private var entries: [Entry] = []

    package init() {}

    /// A stored list. Gaps in the ranks are closed.
    package init(_ artists: [RankedArtist]) throws(ArtistListError) {
        for artist in artists.sorted(by: { $0.rank < $1.rank }) {
            try add(Addition(name: artist.name, spotify: artist.spotify), id: artist.id)
        }
    }

    /// A list of names, in their order. Every artist gets a new id.
    package init(names: [String]) throws(ArtistListError) {
        try replace(with: names.map { Addition(name: $0) })
    }

    package var artists: [RankedArtist] { entries.enumerated().map { $1.artist(at: $0 + 1) } }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }
}

extension ArtistList {
    /// Adds an artist at the end, or at `rank` (1…count + 1), moving the others down.
    @discardableResult
    package mutating func add(
        _ name: String, id: String = UUIDv7.next(), at rank: Int? = nil
    ) throws(ArtistListError) -> RankedArtist {
        try add(Addition(name: name), id: id, at: rank)
    }

    /// Like ``add(_:id:at:)`` with a name. An artist is already in the list if an entry has the same name or Spotify
    /// id.
    @discardableResult
    package mutating func add(
        _ addition: Addition, id: String = UUIDv7.next(), at rank: Int? = nil
    ) throws(ArtistListError) -> RankedArtist {
        let name = try ArtistName(addition.name)
        let isSame = { (entry: Entry) in
            entry.id == id || entry.name.folded == name.folded
                || addition.spotify.map { $0.id == entry.spotify?.id } == true
        }
        if let index = entries.firstIndex(where: isSame) {
            throw .duplicateArtist(name: name.text, existing: entries[index].name.text, rank: index + 1)
        }
        guard entries.count < Self.capacity else { throw .listFull(limit: Self.capacity) }
        let rank = rank ?? entries.count + 1
        guard (1...(entries.count + 1)).contains(rank) else {
            throw .invalidPosition(rank, count: entries.count + 1)
        }
        let entry = Entry(id: id, name: name, spotify: addition.spotify)
        entries.insert(entry, at: rank - 1)
        return entry.artist(at: rank)
    }

    @discardableResult
    package mutating func remove(id: String) throws(ArtistListError) -> RankedArtist {
        let index = try index(of: id)
        return entries.remove(at: index).artist(at: index + 1)
    }

    /// Moves an artist to `rank` (1…count). The artists between the two ranks move by one.
    package mutating func move(id: String, to rank: Int) throws(ArtistListError) {
        let index = try index(of: id)
        guard (1...entries.count).contains(rank) else { throw .invalidPosition(rank, count: entries.count) }
        entries.insert(entries.remove(at: index), at: rank - 1)
    }

    /// Replaces the whole list. Artists that stay keep their ids, and their known details if the addition has none.
    package mutating func replace(with additions: [Addition]) throws(ArtistListError) {
        // Checked first, so that a list of a million names is refused at once.
        guard additions.count <= Self.capacity else { throw .listFull(limit: Self.capacity) }
        let known = Dictionary(uniqueKeysWithValues: entries.map { ($0.name.folded, $0) })
        var list = ArtistList()
        for var addition in additions {
            let former = known[FoldedName(addition.name)]
            addition.spotify = addition.spotify ?? former?.spotify
            try list.add(addition, id: former?.id ?? UUIDv7.next())
        }
        self = list
    }

    /// Replaces the whole list with the first `count` of the given artists. Artists whose names are not allowed in a
    /// list, or that are already in it, are left out.
    package mutating func reset(to additions: [Addition], count: Int) throws(ArtistListError) {
        var list = ArtistList()
        var kept: [Addition] = []
        for addition in additions where kept.count < min(count, Self.capacity) {
            if (try? list.add(addition)) != nil { kept.append(addition) }
        }
        try replace(with: kept)
    }

    private func index(of id: String) throws(ArtistListError) -> Int {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { throw .unknownArtist(id: id) }
        return index
    }
}
