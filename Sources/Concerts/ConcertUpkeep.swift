import Model
import Storage

/// Deletes searches that have grown old, and what nobody asks for any more.
///
/// Each transaction deletes some hundred rows, or one subject with its events, so that nobody waits for it.
package struct ConcertUpkeep: Sendable {
    /// A search notes that it asks for a subject when nobody has for this long: most notes would change nothing.
    static let askGranularity = Duration.seconds(3_600)

    /// Searches, which have twenty rows each, that one transaction deletes.
    private static let searchBatch = 50
    /// Rows of other kinds that one transaction deletes.
    private static let batch = 250

    private let database: Database
    private let searchRetention: Duration
    private let artistRetention: Duration

    /// - Parameters:
    ///   - searchRetention: how long searches are kept, and, from when somebody last asked for them, areas and names
    ///     that belong to no attraction.
    ///   - artistRetention: how long artists whose attraction is known are kept from when somebody last asked for them;
    ///     not less than `searchRetention`.
    package init(database: Database, searchRetention: Duration, artistRetention: Duration) {
        self.database = database
        self.searchRetention = searchRetention
        self.artistRetention = max(artistRetention, searchRetention)
    }

    /// Deletes searches made before the time for which they are kept, and tells what becomes of lookups that one of
    /// them waited for.
    package func pruneSearches(
        at time: PruningTime, whenReleased: (ConcertSearches.Released) -> Void
    ) async throws {
        let cutoff = time.before(searchRetention)
        var count = Self.searchBatch
        while count == Self.searchBatch, !Task.isCancelled {
            let released: ConcertSearches.Released
            (count, released) = try await database.write { transaction in
                let old = try transaction.concerts.searches(createdBefore: cutoff, limit: Self.searchBatch)
                return (old.count, try ConcertSearches.delete(old, in: transaction))
            }
            whenReleased(released)
        }
    }

    /// Deletes subjects that nobody has asked for since the time for which they are kept, with their events; then
    /// events that no answer names any more, and where cities lie of which that would be looked up anew.
    ///
    /// It comes after ``pruneSearches(at:whenReleased:)``: no search is left then that shows what goes.
    package func forget(at time: PruningTime) async throws {
        for (areArtists, retention) in [(false, searchRetention), (true, artistRetention)] {
            // A note may be so much older than the search that asked.
            let cutoff = time.before(retention + Self.askGranularity * 2)
            try await forgetSubjects(areArtists: areArtists, askedBefore: cutoff)
        }
        let unused = try await database.read { try $0.concerts.unusedEvents(limit: Self.batch) }
        if !unused.isEmpty { try await database.write { try $0.concerts.pruneEvents(unused) } }
        let cutoff = time.before(NearbyLookup.pointLifetime)
        var count = Self.batch
        while count == Self.batch, !Task.isCancelled {
            count = try await database.write {
                try $0.concerts.forgetCities(checkedBefore: cutoff, limit: Self.batch)
            }
        }
    }

    private func forgetSubjects(areArtists: Bool, askedBefore cutoff: PruningTime) async throws {
        while !Task.isCancelled {
            let found = try await database.read {
                try $0.concerts.forgottenSubjects(areArtists: areArtists, askedBefore: cutoff, limit: Self.batch)
            }
            var rest = found[...]
            while !rest.isEmpty, !Task.isCancelled {
                let part = Self.part(of: rest)
                rest = rest.dropFirst(part.count)
                try await database.write { transaction in
                    for key in part { _ = try transaction.concerts.forgetSubject(key: key, askedBefore: cutoff) }
                }
            }
            if found.count < Self.batch { return }
        }
    }

    /// As many of the first as have no more events together than one transaction deletes; one at least.
    private static func part(of subjects: ArraySlice<(key: String, events: Int)>) -> [String] {
        var keys: [String] = []
        var rows = 0
        for (key, events) in subjects {
            rows += 1 + events
            if !keys.isEmpty, rows > batch { break }
            keys.append(key)
        }
        return keys
    }
}
