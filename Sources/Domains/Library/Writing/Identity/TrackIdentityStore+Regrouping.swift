import Identity
import Library
import Model
import Storage

extension TrackIdentityStore {
    /// The libraries that have to be regrouped, in the order of their keys.
    package func librariesToRegroup(limit: Int) throws -> [(libraryID: Int64, userID: String)] {
        try transaction.map(
            """
            SELECT id, user_id FROM libraries
            WHERE identity_stage <> \(RegroupStage.done.rawValue) OR identity_rules <> \(TrackIdentity.version)
            ORDER BY id LIMIT \(limit)
            """
        ) { (try $0["id"], try $0["user_id"]) }
    }

    /// The progress of regrouping a library; `nil` if the library is gone.
    package func regroupProgress(ofLibrary library: Int64) throws -> RegroupProgress? {
        let row = try transaction.row(
            "SELECT identity_rules, identity_stage, identity_after FROM libraries WHERE id = \(library)")
        guard let row else { return nil }
        let (rules, stage): (Int, Int) = (try row["identity_rules"], try row["identity_stage"])
        guard rules == TrackIdentity.version, let stage = RegroupStage(rawValue: stage) else {
            return RegroupProgress(.dropKeys)
        }
        return RegroupProgress(stage, after: try row["identity_after"])
    }

    /// Finds groups of source tracks whose assignment to tracks does not follow from the rules. It does not hold the
    /// write lock, since there usually are none.
    ///
    /// - Parameter groups: groups made by ``LinkedSourceTracks``.
    /// - Returns: the groups that have to be reassigned.
    func groupsToRegroup(_ groups: [ArraySlice<Int64>], inLibrary library: Int64) throws -> [[Int64]] {
        var profiler = IdentityProfiler()
        let rows = try comparedSourceTracks(ids: groups.flatMap { $0 }, library: library)
        let members = rows.map { row in
            Clustering.Member(listing: row.listing, profile: profiler.profile(row.record))
        }
        let arrangement = TrackArrangement(try identity(ofLibrary: library).run(members), rows: rows)
        let placement = TrackIDAssignment(arrangement)
        let trackIDs = placement.trackIDs
        let known = try duplicates(ofTracks: arrangement.trackIDs.sorted(), library: library)
        // The tracks of questions that have to be written or deleted.
        let questioned = Set(arrangement.duplicates(trackIDs).symmetricDifference(known).flatMap(\.tracks))
        var due: Set<Int64> = []
        for (cluster, trackID) in zip(arrangement.clusters, trackIDs) {
            let follows = trackID.map { id in cluster.allSatisfy { $0.trackID == id } && !questioned.contains(id) }
            if follows != true { due.formUnion(cluster.map(\.id)) }
        }
        return groups.filter { !due.isDisjoint(with: $0) }.map(Array.init)
    }
}

extension TrackIdentityStore where Access == WriteTransaction {
    /// Deletes some keys of earlier rules, or creates some of the current ones. Must be called while the stage is
    /// ``RegroupStage/dropKeys`` or ``RegroupStage/makeKeys``; after a crash, the next call continues.
    ///
    /// - Parameter limit: the maximum number of rows to delete or to read.
    package func regroupKeys(ofLibrary library: Int64, limit: Int) throws -> RegroupEffect {
        guard var progress = try regroupProgress(ofLibrary: library) else {
            return RegroupEffect(progress: RegroupProgress(.done))
        }
        var count = 0
        switch progress.stage {
        case .dropKeys:
            // This starts from the beginning each time: keys that a page has written meanwhile are created again later.
            count = try transaction.execute(
                """
                DELETE FROM library_identity_keys
                WHERE library_id = \(library) AND (identity_key, source_track_id) IN (
                    SELECT identity_key, source_track_id FROM library_identity_keys
                    WHERE library_id = \(library) ORDER BY identity_key, source_track_id LIMIT \(limit))
                """)
            if count == 0 { progress = RegroupProgress(.makeKeys) }
        case .makeKeys:
            let rows = try transaction.tracks.sourceTracks(after: progress.after, library: library, limit: limit)
            for row in rows { try insertKeys(row.profile.keys, of: row.id, library: library) }
            count = rows.count
            progress = rows.last.map { RegroupProgress(.makeKeys, after: $0.id) } ?? RegroupProgress(.group)
        case .group, .groupRemasters, .done: break
        }
        try setProgress(progress, ofLibrary: library)
        return RegroupEffect(count: count, progress: progress)
    }

    /// Assigns source tracks to tracks again.
    ///
    /// - Parameters:
    ///   - ids: source tracks that ``groupsToRegroup(_:inLibrary:)`` has found. Those that no longer exist are left
    ///     out.
    ///   - from: the library's progress when they were found. If it has changed since, nothing is done.
    ///   - progress: the library's progress afterwards.
    package func regroupPart(
        _ ids: [Int64], ofLibrary library: Int64, userID: String, from: RegroupProgress, to progress: RegroupProgress,
        sync: Int64, now: Timestamp
    ) throws -> RegroupEffect {
        let present = try regroupProgress(ofLibrary: library)
        guard present == from else { return RegroupEffect(progress: present ?? RegroupProgress(.done)) }
        var effect = RegroupEffect(count: ids.count, progress: progress)
        let rows = try transaction.tracks.sourceTracks(ids: ids, library: library)
        if !rows.isEmpty {
            var changes = SourceTrackChanges()
            changes.changed = rows.map { SourceTrackChanges.Member($0) }
            var writes = try transaction.library.beginWrites(library: library, userID: userID, sync: sync, now: now)
            effect.merged = try regroupTracks(affectedBy: changes, by: try identity(ofLibrary: library), in: &writes)
                .merged
            try transaction.library.finishWrites(writes)
        }
        try setProgress(progress, ofLibrary: library)
        return effect
    }

    private func setProgress(_ progress: RegroupProgress, ofLibrary library: Int64) throws {
        try transaction.run(
            """
            UPDATE libraries SET identity_rules = \(TrackIdentity.version), identity_stage = \(progress.stage.rawValue),
                identity_after = \(progress.after)
            WHERE id = \(library)
            """)
    }

    // MARK: The setting

    /// Sets whether a remaster is the same song as the original. The library is regrouped in steps, which only examine
    /// what this may affect, unless all of the library has to be regrouped anyway.
    ///
    /// - Returns: whether the setting changed.
    @discardableResult
    package func setRemastersAreSame(_ areSame: Bool, userID: String, now: Timestamp) throws -> Bool {
        let library = try transaction.library.open(userID: userID, now: now)
        guard try remastersAreSame(userID: userID) != areSame else { return false }
        let change = try transaction.nextChange()
        let progress = try regroupProgress(ofLibrary: library) ?? RegroupProgress(.done)
        // This value is not the key of any row, and is different each time, so that a step in progress has no effect.
        let beginning = -change
        switch progress.stage {
        // Keys do not depend on the setting.
        case .dropKeys, .makeKeys: try setProgress(progress, ofLibrary: library)
        case .group: try setProgress(RegroupProgress(.group, after: beginning), ofLibrary: library)
        case .groupRemasters, .done:
            try setProgress(RegroupProgress(.groupRemasters, after: beginning), ofLibrary: library)
        }
        try transaction.run(
            """
            UPDATE libraries SET remasters_differ = \(!areSame), change = \(change), songs_change = \(change)
            WHERE user_id = \(userID)
            """)
        transaction.recordChange(of: [userID], topic: .library)
        return true
    }
}
