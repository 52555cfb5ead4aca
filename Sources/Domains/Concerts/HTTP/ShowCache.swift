import Concerts
import Gateway
import Model
import Storage
import Synchronization

/// Keeps the shows of the searches that were read last, since a client reads page after page of the same rows.
final class ShowCache: Sendable {
    /// A thousand shows take about a megabyte.
    static let capacity = 8

    private struct Key: Hashable {
        var stamp: ConcertSearchResult.Stamp
        var filter: ShowFilter
        var today: LocalDate?
    }

    private struct State {
        /// The entry that was used last is the last one.
        var entries: [(key: Key, items: [ConcertListItem])] = []
        var computed = 0
    }

    private let cityNames: CityNames
    private let state = Mutex(State())

    init(cityNames: CityNames) {
        self.cityNames = cityNames
    }

    /// How often shows were not in the cache.
    var computed: Int { state.withLock(\.computed) }

    func items(
        of result: ConcertSearchResult, _ filter: ShowFilter, today: LocalDate?, in reader: ReadTransaction
    ) throws -> [ConcertListItem] {
        let key = Key(stamp: try result.stamp(in: reader), filter: filter, today: today)
        let known = state.withLock { state -> [ConcertListItem]? in
            guard let index = state.entries.firstIndex(where: { $0.key == key }) else { return nil }
            state.entries.append(state.entries.remove(at: index))
            return state.entries.last?.items
        }
        if let known { return known }
        let items = try result.items(filter, cityNames: cityNames, today: today, in: reader)
        state.withLock { state in
            state.computed += 1
            // Two simultaneous requests compute the same shows twice.
            state.entries.removeAll { $0.key == key }
            state.entries.append((key, items))
            if state.entries.count > Self.capacity { state.entries.removeFirst() }
        }
        return items
    }
}
