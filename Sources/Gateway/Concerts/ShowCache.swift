import Concerts
import Model
import Storage
import Synchronization

/// Keeps the shows of the searches that were looked at last: whoever scrolls through a thousand shows asks for
/// page after page of the same rows.
final class ShowCache: Sendable {
    /// A thousand shows take about a megabyte.
    static let capacity = 8

    private struct Key: Hashable {
        var stamp: ConcertSearchResult.Stamp
        var filter: ShowFilter
        var today: LocalDate?
    }

    private struct State {
        /// The one that was used last comes last.
        var entries: [(key: Key, items: [ConcertListItem])] = []
        var computed = 0
    }

    private let cityNames: CityNames
    private let state = Mutex(State())

    init(cityNames: CityNames) {
        self.cityNames = cityNames
    }

    /// How often shows were computed because they were not there.
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
            // Two that ask for the same at once compute it twice.
            state.entries.removeAll { $0.key == key }
            state.entries.append((key, items))
            if state.entries.count > Self.capacity { state.entries.removeFirst() }
        }
        return items
    }
}
