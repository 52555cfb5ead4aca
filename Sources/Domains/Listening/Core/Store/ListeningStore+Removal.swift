import Model
import Storage

extension ListeningStore where Access == WriteTransaction {
    /// Removes some of the observations of an import, and derives their listens again from the remaining observations.
    ///
    /// Observations that another import also reported are not removed, nor are those that mark a listen as deleted.
    ///
    /// - Returns: whether nothing of it is left.
    package func removeStep(
        ofImport id: LibraryID, userID: String, limit: Int = 200, now: Timestamp
    ) throws -> Bool {
        guard let history = try historyID(ofUser: userID) else { return true }
        let found = try load(Self.ofImport(id, limit: limit, history: history), history: history)
        guard !found.plays.isEmpty else { return try removeRepeats(ofImport: id, limit: limit, history: history) }
        var removed = found
        removed.plays = try found.plays.filter { try !retain($0, without: id, history: history) }
        _ = try remove(removed, mostWork: mostDerivationWork, history: history, userID: userID, now: now)
        return false
    }

    /// Removes observations, and derives their listens again from the remaining ones.
    ///
    /// - Parameter mostWork: once this much work was done, the rest is left as it is.
    /// - Returns: the work that it took.
    @discardableResult
    func remove(
        _ found: PlayWindow, mostWork: Int = .max, history: Int64, userID: String, now: Timestamp
    ) throws -> DerivationWork {
        var (removed, cost, step) = ([Play](), DerivationWork(), DerivationStep())
        // Each derivation still finds what later ones remove, so one of them notices that an hour is no longer crowded.
        for var run in found.plays.sorted(by: { $0.start < $1.start }).runs(by: \.start).map({ $0[...] }) {
            while !run.isEmpty, cost.units < mostWork {
                let part = run.prefix(step.count)
                let work = try delete(part, saidKeys: found.saidKeys, history: history, userID: userID)
                var partCost = try derive(work, now: now).work
                partCost.writes += part.count
                cost += partCost
                step.adapt(to: partCost)
                removed += part
                run = run.dropFirst(part.count)
            }
        }
        try recordUse(ofHistory: history, observations: -removed.count)
        try dropUnused(songs: Set(removed.map(\.songID)), history: history)
        try dropUnused(details: Set(removed.compactMap(\.detailsID)), history: history)
        return cost
    }

    /// Deletes observations.
    ///
    /// - Returns: what to derive again.
    private func delete(
        _ plays: ArraySlice<Play>, saidKeys: [Int64: Int64], history: Int64, userID: String
    ) throws -> Rederivation {
        var work = Rederivation(history: history, userID: userID)
        work.saidKeys = saidKeys
        for var play in plays {
            // Earlier derivations may have moved it to another listen.
            play.listenID =
                try transaction.row(
                    """
                    SELECT listen_id FROM listen_observations
                    WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
                    """)?["listen_id"] ?? 0
            work.removed.append(play)
            try transaction.run(
                """
                DELETE FROM listen_observations
                WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
                """)
            try transaction.run(
                "DELETE FROM listen_repeats WHERE history_id = \(history) AND observation_id = \(play.id)")
        }
        return work
    }

    /// Deletes songs that no observation refers to any longer.
    func dropUnused(songs: Set<Int64>, history: Int64) throws {
        var bytes = 0
        for part in songs.inParts {
            let unused = try transaction.map(
                """
                SELECT s.id, \(SongDescription.columns) FROM listen_songs s
                WHERE s.history_id = \(history) AND s.id IN (\(list: part)) AND s.plays = 0 AND NOT EXISTS (
                    SELECT 1 FROM listen_observations o WHERE o.history_id = \(history) AND o.song_id = s.id)
                ORDER BY s.id
                """
            ) { (id: try $0["id"] as Int64, song: try SongDescription($0)) }
            guard !unused.isEmpty else { continue }
            bytes += unused.reduce(0) { $0 + $1.song.bytes }
            try transaction.run(
                "DELETE FROM listen_songs WHERE history_id = \(history) AND id IN (\(list: unused.map(\.id)))")
        }
        try recordUse(ofHistory: history, bytes: -bytes)
    }

    /// Deletes details that no observation refers to any longer.
    func dropUnused(details: Set<Int64>, history: Int64) throws {
        var bytes = 0
        for part in details.inParts {
            let unused = try transaction.map(
                """
                SELECT d.id, d.details FROM listen_details d
                WHERE d.history_id = \(history) AND d.id IN (\(list: part)) AND NOT EXISTS (
                    SELECT 1 FROM listen_observations o WHERE o.history_id = \(history) AND o.details_id = d.id)
                ORDER BY d.id
                """
            ) { (id: try $0["id"] as Int64, bytes: (try $0["details"] as String).utf8.count) }
            guard !unused.isEmpty else { continue }
            bytes += unused.reduce(0) { $0 + $1.bytes }
            try transaction.run(
                "DELETE FROM listen_details WHERE history_id = \(history) AND id IN (\(list: unused.map(\.id)))")
        }
        try recordUse(ofHistory: history, bytes: -bytes)
    }

    /// Deletes some of the repeats of an import.
    ///
    /// - Returns: whether nothing of it is left.
    private func removeRepeats(ofImport id: LibraryID, limit: Int, history: Int64) throws -> Bool {
        let count = try transaction.execute(
            """
            DELETE FROM listen_repeats
            WHERE history_id = \(history) AND import_id = \(id.key) AND (started_at, observation_id) IN (
                SELECT started_at, observation_id FROM listen_repeats
                WHERE history_id = \(history) AND import_id = \(id.key)
                ORDER BY started_at, observation_id LIMIT \(limit))
            """)
        return count < limit
    }

    /// Makes the observations permanent that an import repeated, since it can no longer be undone: they stay, even if
    /// the import that first reported them is undone.
    ///
    /// - Returns: the number of repeats that were handled; 0 when none is left.
    package func retainRepeats(ofImport id: LibraryID, userID: String, limit: Int) throws -> Int {
        guard let history = try historyID(ofUser: userID) else { return 0 }
        let repeats = try transaction.map(
            """
            SELECT started_at, observation_id FROM listen_repeats
            WHERE history_id = \(history) AND import_id = \(id.key)
            ORDER BY started_at, observation_id LIMIT \(limit)
            """
        ) { (start: try $0["started_at"] as Int64, id: try $0["observation_id"] as Int64) }
        for repeated in repeats {
            try transaction.run(
                """
                UPDATE listen_observations SET import_id = NULL
                WHERE history_id = \(history) AND started_at = \(repeated.start) AND id = \(repeated.id)
                """)
            try transaction.run(
                "DELETE FROM listen_repeats WHERE history_id = \(history) AND observation_id = \(repeated.id)")
        }
        return repeats.count
    }

    /// Retains an observation that another import also reported, or that marks a listen as deleted.
    ///
    /// - Returns: whether it is retained.
    private func retain(_ play: Play, without importID: LibraryID, history: Int64) throws -> Bool {
        let other: Int64? = try transaction.row(
            """
            SELECT MIN(import_id) AS other FROM listen_repeats
            WHERE history_id = \(history) AND observation_id = \(play.id) AND import_id <> \(importID.key)
            """
        ).flatMap { try $0["other"] }
        guard other != nil || play.isDeleted else { return false }
        try transaction.run(
            """
            UPDATE listen_observations SET import_id = \(other)
            WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
            """)
        if let other {
            try transaction.run(
                """
                DELETE FROM listen_repeats
                WHERE history_id = \(history) AND import_id = \(other) AND observation_id = \(play.id)
                """)
        }
        return true
    }

    /// Deletes a listen. It stays deleted if a source reports it again.
    ///
    /// - Returns: whether there was such a listen.
    package func deleteListen(_ id: LibraryID, userID: String, now: Timestamp) throws -> Bool {
        guard let history = try historyID(ofUser: userID),
            try transaction.row("SELECT id FROM listens WHERE history_id = \(history) AND id = \(id.key)") != nil
        else { return false }
        let found = try plays(ofListens: [id.key], history: history)
        var work = Rederivation(history: history, userID: userID)
        for var play in found.plays {
            try transaction.run(
                """
                UPDATE listen_observations SET is_deleted = 1
                WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
                """)
            play.isDeleted = true
            work.changed.append(play)
        }
        work.saidKeys = found.saidKeys
        guard !work.changed.isEmpty else { return false }
        _ = try derive(work, now: now)
        return true
    }
}
