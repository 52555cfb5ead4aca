import Model

/// A person's ranked artists: 20 at most, with ranks 1…n, each once.
///
/// A change that throws leaves the list as it was.
package struct ArtistList: Hashable, Sendable {
    package static let capacity = 20

    private struct Entry: Hashable, Sendable {
        var id: String
        var name: ArtistName
    }

    private var entries: [Entry] = []

    package init() {}

    /// A stored list. Gaps in the ranks are closed.
    package init(_ artists: [RankedArtist]) throws(ArtistListError) {
        for artist in artists.sorted(by: { $0.rank < $1.rank }) {
            try add(artist.name, id: artist.id)
        }
    }

    /// A list of names in their order. Every artist gets a new id.
    package init(names: [String]) throws(ArtistListError) {
        try replace(with: names)
    }

    package var artists: [RankedArtist] {
        entries.enumerated().map { RankedArtist(id: $1.id, name: $1.name.text, rank: $0 + 1) }
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }
}

extension ArtistList {
    /// Adds an artist at the end, or at `rank` (1…count + 1), moving the others down.
    @discardableResult
    package mutating func add(
        _ name: String, id: String = UUIDv7.next(), at rank: Int? = nil
    ) throws(ArtistListError) -> RankedArtist {
        let name = try ArtistName(name)
        if let index = entries.firstIndex(where: { $0.id == id || $0.name.folded == name.folded }) {
            throw .duplicateArtist(name: name.text, existing: entries[index].name.text, rank: index + 1)
        }
        guard entries.count < Self.capacity else { throw .listFull(limit: Self.capacity) }
        let rank = rank ?? entries.count + 1
        guard (1...(entries.count + 1)).contains(rank) else {
            throw .invalidPosition(rank, count: entries.count + 1)
        }
        entries.insert(Entry(id: id, name: name), at: rank - 1)
        return RankedArtist(id: id, name: name.text, rank: rank)
    }

    @discardableResult
    package mutating func remove(id: String) throws(ArtistListError) -> RankedArtist {
        let index = try index(of: id)
        let entry = entries.remove(at: index)
        return RankedArtist(id: entry.id, name: entry.name.text, rank: index + 1)
    }

    /// Moves an artist to `rank` (1…count). The artists between the two ranks move by one.
    package mutating func move(id: String, to rank: Int) throws(ArtistListError) {
        let index = try index(of: id)
        guard (1...entries.count).contains(rank) else { throw .invalidPosition(rank, count: entries.count) }
        entries.insert(entries.remove(at: index), at: rank - 1)
    }

    /// Replaces the whole list. Artists that stay keep their ids.
    package mutating func replace(with names: [String]) throws(ArtistListError) {
        // Checked first, so that a list of a million names is refused at once.
        guard names.count <= Self.capacity else { throw .listFull(limit: Self.capacity) }
        let known = Dictionary(uniqueKeysWithValues: entries.map { ($0.name.folded, $0.id) })
        var list = ArtistList()
        for name in names {
            try list.add(name, id: known[FoldedName(name)] ?? UUIDv7.next())
        }
        self = list
    }

    private func index(of id: String) throws(ArtistListError) -> Int {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { throw .unknownArtist(id: id) }
        return index
    }
}
