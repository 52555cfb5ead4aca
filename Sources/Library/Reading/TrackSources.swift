/// Which sources have each track of a library.
struct TrackSources: Sendable {
    private let first: Int64
    /// A track's key less ``first``, and its sources in the lowest two bits; in the order of the keys.
    private let values: [Int64]

    /// - Parameters:
    ///   - first: any key of the library.
    ///   - values: (key - `first`) · 4 + sources for each track, in any order.
    init(from first: Int64, _ values: [Int64]) {
        self.first = first
        self.values = values.sorted()
    }

    /// How many of some tracks pass a filter.
    ///
    /// - Parameter keys: of tracks of the library, in their order.
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
