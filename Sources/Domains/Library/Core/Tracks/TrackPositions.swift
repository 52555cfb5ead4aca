/// Positions of tracks in a list, as known from pages that have been shown. Starting at the closest one, a later page
/// is reached by a shorter walk along the index than from the list's beginning or end.
struct TrackPositions: Sendable {
    /// A list of tracks, in one state of the library.
    struct List: Hashable, Sendable {
        var library: Int64
        var change: Int64
        var sort: TrackSort
        var filter: TrackFilter

        /// - Returns: `nil` for the order by play count, which changes with every listen while the library does not.
        init?(_ query: TrackListQuery, library: Int64, change: Int64) {
            guard query.sort != .playCount else { return nil }
            (self.library, self.change, sort, filter) = (library, change, query.sort, query.filter)
        }
    }

    struct Entry: Sendable {
        /// The position in the list, counted from 0.
        var position: Int
        var place: ListPosition
    }

    /// More entries would hardly shorten a walk.
    private static let limit = 256

    /// Sorted by position.
    private var known: [Entry] = []

    func last(before position: Int) -> Entry? {
        let index = index(of: position)
        return index > 0 ? known[index - 1] : nil
    }

    mutating func record(_ place: Entry) {
        let index = index(of: place.position)
        if index < known.count, known[index].position == place.position { return }
        known.insert(place, at: index)
        guard known.count > Self.limit else { return }
        known = known.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// The index of the first known place at or after a position.
    private func index(of position: Int) -> Int {
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if known[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
