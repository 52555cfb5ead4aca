import Synchronization

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

/// ``TrackSources`` of the libraries that are being searched: 8 bytes for each track.
///
/// A search with a filter asks for the sources of all of its hits. People search while they type, so that a library is
/// asked several times in the same state, which its change number names. The first time, an index is walked instead;
/// a library that a sync changes all the time is never read for nothing.
package final class TrackSourcesCache: Sendable {
    /// The most libraries that are kept.
    private static let capacity = 8

    private struct Entry {
        var change: Int64
        var sources: TrackSources?
        var lastUse: Int
    }

    private struct State {
        var entries: [Int64: Entry] = [:]
        var uses = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The sources of a library's tracks; `nil` when it is asked for them the first time since it changed.
    ///
    /// - Parameters:
    ///   - change: the library's change number in the same transaction.
    ///   - load: reads them.
    func sources(of library: Int64, change: Int64, load: () throws -> TrackSources) rethrows -> TrackSources? {
        let (isKnown, sources) = state.withLock { state -> (Bool, TrackSources?) in
            state.uses += 1
            if var entry = state.entries[library], entry.change == change {
                entry.lastUse = state.uses
                state.entries[library] = entry
                return (true, entry.sources)
            }
            state.entries[library] = Entry(change: change, sources: nil, lastUse: state.uses)
            if state.entries.count > Self.capacity,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries[oldest.key] = nil
            }
            return (false, nil)
        }
        guard isKnown else { return nil }
        if let sources { return sources }
        let loaded = try load()
        state.withLock { state in
            if state.entries[library]?.change == change { state.entries[library]?.sources = loaded }
        }
        return loaded
    }
}
