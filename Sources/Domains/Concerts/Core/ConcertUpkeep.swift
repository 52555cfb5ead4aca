import Model
import Storage

/// Deletes old searches, and stored answers that no search has recently asked for.
///
/// Each transaction deletes a few hundred rows, or one target with its events, so that other writes only wait briefly.
package struct ConcertUpkeep: Sendable {
    /// How far the stored time of the last request for a target may lag before a search updates it.
    static let askGranularity = Duration.seconds(3_600)

    /// How long it is known that somebody who has stopped watching a topic has got its coming shows.
    private static let comingShowsLifetime = Duration.seconds(90 * 86_400)

    /// The number of searches that one transaction deletes, each with up to twenty targets.
    private static let searchBatch = 50
    /// The number of rows of other tables that one transaction deletes.
    private static let batch = 250

    private let database: Database
    private let searchRetention: Duration
    private let artistRetention: Duration

    /// - Parameters:
    ///   - searchRetention: how long searches are kept, and how long areas and names without an attraction are kept
    ///     after a search last asked for them.
    ///   - artistRetention: how long artists with a known attraction are kept after a search last asked for them; at
    ///     least `searchRetention`.
    package init(database: Database, searchRetention: Duration, artistRetention: Duration) {
        self.database = database
        self.searchRetention = searchRetention
        self.artistRetention = max(artistRetention, searchRetention)
    }

    /// Deletes searches older than their retention.
    ///
    /// - Parameter whenReleased: called with what happened to the lookups that the searches waited for.
    package func pruneSearches(
        at time: PruningTime, whenReleased: (ConcertSearches.ReleaseResult) -> Void
    ) async throws {
        let cutoff = time.before(searchRetention)
        var count = Self.searchBatch
        while count == Self.searchBatch, !Task.isCancelled {
            let released: ConcertSearches.ReleaseResult
            (count, released) = try await database.write { transaction in
                let old = try transaction.concerts.searches(createdBefore: cutoff, limit: Self.searchBatch)
                return (old.count, try ConcertSearches.delete(old, in: transaction))
            }
            whenReleased(released)
        }
    }

    /// Deletes targets that no search has asked for within their retention, together with their events; then events
    /// that no target has, and expired points of cities.
    ///
    /// Call this after ``pruneSearches(at:whenReleased:)``, so that no remaining search shows these targets.
    package func forget(at time: PruningTime) async throws {
        for (areArtists, retention) in [(false, searchRetention), (true, artistRetention)] {
            // The stored time may be this much older than the search that asked.
            let cutoff = time.before(retention + Self.askGranularity * 2)
            try await pruneTargets(areArtists: areArtists, askedBefore: cutoff)
        }
        try await forgetListings(at: time)
        try await database.deleteInBatches(at: time.before(Self.comingShowsLifetime), of: Self.batch) {
            try $0.concerts.forgetComingShows(endedBefore: $1, limit: $2, now: time.moment)
        }
        let unused = try await database.read { try $0.concerts.unusedEvents(limit: Self.batch) }
        if !unused.isEmpty { try await database.write { try $0.concerts.pruneEvents(unused) } }
        // A calendar uses a point until the next lookup finds it again.
        let cutoff = time.before(NearbyLookup.pointLifetime * 2)
        var count = Self.batch
        while count == Self.batch, !Task.isCancelled {
            count = try await database.write {
                try $0.concerts.forgetCities(checkedBefore: cutoff, limit: Self.batch)
            }
        }
    }

    /// Forgets listings of topics that no lookup has found for ``TopicRecord/memory``: their shows are over, or gone. Feeds
    /// show nothing of them from then on.
    private func forgetListings(at time: PruningTime) async throws {
        let cutoff = time.before(TopicRecord.memory)
        var count = Self.batch
        while count == Self.batch, !Task.isCancelled {
            let old = try await database.read {
                try $0.concerts.oldListings(foundBefore: cutoff, limit: Self.batch)
            }
            count = old.count
            guard count > 0 else { return }
            try await database.write { transaction in
                for listing in old {
                    try transaction.concerts.forget(listing, foundBefore: cutoff, now: .now())
                }
            }
        }
    }

    private func pruneTargets(areArtists: Bool, askedBefore cutoff: PruningTime) async throws {
        while !Task.isCancelled {
            let found = try await database.read {
                try $0.concerts.unusedTargets(areArtists: areArtists, askedBefore: cutoff, limit: Self.batch)
            }
            var rest = found[...]
            while !rest.isEmpty, !Task.isCancelled {
                let part = Self.part(of: rest)
                rest = rest.dropFirst(part.count)
                try await database.write { transaction in
                    for key in part { _ = try transaction.concerts.deleteTarget(key: key, askedBefore: cutoff) }
                }
            }
            if found.count < Self.batch { return }
        }
    }

    /// The first targets, at least one, that fit into one transaction together with their events.
    private static func part(of targets: ArraySlice<(key: String, events: Int)>) -> [String] {
        var keys: [String] = []
        var rows = 0
        for (key, events) in targets {
            rows += 1 + events
            if !keys.isEmpty, rows > batch { break }
            keys.append(key)
        }
        return keys
    }
}
