import Gateway
import Library
import Listening
import Storage
import Synchronization

/// Caches the listens of people who look at stats in memory, so that a request reads only the months that have changed.
final class ListenColumnsCache: Sendable {
    /// The most listens of all people together, of 16 bytes each.
    private static let capacity = 4_000_000

    private struct State {
        var people: [String: ListenColumns] = [:]
        /// The least recently used first.
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// A person's listens as the database has them now.
    func columns(of userID: String, in reader: ReadTransaction) throws -> ListenColumns {
        var columns = state.withLock { $0.people[userID] } ?? ListenColumns()
        try reader.listening.update(&columns, userID: userID) { tracks in
            try reader.tracks.genres(ofTracks: tracks, userID: userID)
        }
        let current = columns
        state.withLock { state in
            state.people[userID] = current
            state.order.removeAll { $0 == userID }
            state.order.append(userID)
            var total = state.people.values.reduce(0) { $0 + $1.count }
            while total > Self.capacity, state.order.count > 1 {
                total -= state.people.removeValue(forKey: state.order.removeFirst())?.count ?? 0
            }
        }
        return columns
    }
}
