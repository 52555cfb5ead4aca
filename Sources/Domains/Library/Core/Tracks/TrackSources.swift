/// The sources of each track in a library.
struct TrackSources: Sendable {
    private let first: Int64
    /// Each value is a track's key minus ``first``, with its sources in the lowest two bits; sorted by key.
    private let values: [Int64]

    /// - Parameters:
    ///   - first: any key of the library.
    ///   - values: (key - `first`) · 4 + sources for each track, in any order.
    init(from first: Int64, _ values: [Int64]) {
        self.first = first
        self.values = values.sorted()
    }

    /// The number of the given tracks that pass a filter.
    ///
    /// - Parameter keys: the keys of tracks of the library, sorted.
    func count(of keys: [Int64], _ filter: TrackFilter) -> Int {
        let passes = (0...3).map { filter.includes(sources: $0) }
        var (count, index) = (0, 0)
        for key in keys {
            let sought = key - first
            while index < values.count, values[index] >> 2 < sought { index += 1 }
            guard index < values.count else { break }
            if values[index] >> 2 == sought, passes[Int(values[index] & 3)] { count += 1 }
        }
        return count
    }
}
