import Identity
import Model
import Storage

extension LibraryStore {
    /// Libraries that have to be brought under the rules, in the order of their keys.
    package func librariesToRegroup(limit: Int) throws -> [(libraryID: Int64, userID: String)] {
        try transaction.map(
            """
            SELECT id, user_id FROM libraries
            WHERE identity_stage <> \(RegroupStage.done.rawValue) OR identity_rules <> \(TrackIdentity.version)
            ORDER BY id LIMIT \(limit)
            """
        ) { (try $0["id"], try $0["user_id"]) }
    }

    /// How far a library has come; `nil` for one that is gone.
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

    /// Looks at groups of source tracks for those whose tracks do not follow from the rules. Without the write lock:
    /// usually there are none.
    ///
    /// - Parameter groups: as ``LinkedSourceTracks`` makes them.
    /// - Returns: the groups that do not follow.
    func groupsToRegroup(_ groups: [ArraySlice<Int64>], inLibrary library: Int64) throws -> [[Int64]] {
        var profiler = IdentityProfiler()
        let rows = try comparedSourceTracks(ids: groups.flatMap { $0 }, library: library)
        let members = rows.map { row in
            Clustering.Member(listing: row.listing, profile: profiler.profile(row.record))
        }
        let arrangement = TrackArrangement(try identity(ofLibrary: library).run(members), rows: rows)
        let placement = TrackPlacement(arrangement)
        let trackIDs = placement.trackIDs
        let known = try duplicates(ofTracks: arrangement.trackIDs.sorted(), library: library)
        // Tracks of questions that are to be written or deleted.
        let questioned = Set(arrangement.duplicates(trackIDs).symmetricDifference(known).flatMap(\.tracks))
        var due: Set<Int64> = []
        for (cluster, trackID) in zip(arrangement.clusters, trackIDs) {
            let follows = trackID.map { id in cluster.allSatisfy { $0.trackID == id } && !questioned.contains(id) }
            if follows != true { due.formUnion(cluster.map(\.id)) }
        }
        return groups.filter { !due.isDisjoint(with: $0) }.map(Array.init)
    }

    private func sourceTracks(after id: Int64, library: Int64, limit: Int) throws -> [SourceTrackRow] {
        try transaction.map(
            """
            SELECT \(SourceTrackRow.columns) FROM library_source_tracks
            WHERE +library_id = \(library) AND id > \(id) ORDER BY id LIMIT \(limit)
            """, SourceTrackRow.init)
    }

    func sourceTracks(ids: [Int64], library: Int64) throws -> [SourceTrackRow] {
        try ids.inParts.flatMap { part in
            try transaction.map(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """, SourceTrackRow.init)
        }
    }
}

extension LibraryStore where Access == WriteTransaction {
    /// Deletes some keys of former rules, or makes some of the present ones. Call it while the stage is
    /// ``RegroupStage/dropKeys`` or ``RegroupStage/makeKeys``; after a crash, the next call goes on.
    ///
    /// - Parameter limit: the most rows to delete or to read.
    package func regroupKeys(ofLibrary library: Int64, limit: Int) throws -> RegroupEffect {
        guard var progress = try regroupProgress(ofLibrary: library) else {
            return RegroupEffect(progress: RegroupProgress(.done))
        }
        var count = 0
        switch progress.stage {
        case .dropKeys:
            // From the beginning each time: what a page wrote meanwhile is made again.
            count = try transaction.execute(
                """
                DELETE FROM library_identity_keys
                WHERE library_id = \(library) AND (identity_key, source_track_id) IN (
                    SELECT identity_key, source_track_id FROM library_identity_keys
                    WHERE library_id = \(library) ORDER BY identity_key, source_track_id LIMIT \(limit))
                """)
            if count == 0 { progress = RegroupProgress(.makeKeys) }
        case .makeKeys:
            let rows = try sourceTracks(after: progress.after, library: library, limit: limit)
            for row in rows { try insertKeys(row.profile.keys, of: row.id, library: library) }
            count = rows.count
            progress = rows.last.map { RegroupProgress(.makeKeys, after: $0.id) } ?? RegroupProgress(.group)
        case .group, .groupRemasters, .done: break
        }
        try set(progress, ofLibrary: library)
        return RegroupEffect(count: count, progress: progress)
    }

    /// Finds the tracks of some source tracks anew.
    ///
    /// - Parameters:
    ///   - ids: as ``groupsToRegroup(_:inLibrary:)`` has found them. What has gone since is left out.
    ///   - from: how far the library had come when they were found. If it is not there any more, nothing is done.
    ///   - progress: how far it has come afterwards.
    package func regroup(
        _ ids: [Int64], ofLibrary library: Int64, userID: String, from: RegroupProgress, to progress: RegroupProgress,
        sync: Int64, now: Timestamp
    ) throws -> RegroupEffect {
        let present = try regroupProgress(ofLibrary: library)
        guard present == from else { return RegroupEffect(progress: present ?? RegroupProgress(.done)) }
        var effect = RegroupEffect(count: ids.count, progress: progress)
        let rows = try sourceTracks(ids: ids, library: library)
        if !rows.isEmpty {
            var changes = SourceTrackChanges()
            changes.changed = rows.map { SourceTrackChanges.Member($0) }
            var writes = try begin(library: library, userID: userID, sync: sync, now: now)
            effect.merged = try settle(changes, by: try identity(ofLibrary: library), in: &writes).merged
            try finish(writes)
        }
        try set(progress, ofLibrary: library)
        return effect
    }

    private func set(_ progress: RegroupProgress, ofLibrary library: Int64) throws {
        try transaction.execute(
            """
            UPDATE libraries SET identity_rules = \(TrackIdentity.version), identity_stage = \(progress.stage.rawValue),
                identity_after = \(progress.after)
            WHERE id = \(library)
            """)
    }

    // MARK: The setting

    /// Says whether a remaster is the same song as the original. The library follows in steps, which look only at what
    /// that may change, unless all of the library is due anyway.
    ///
    /// - Returns: whether that is a change.
    @discardableResult
    package func setRemastersAreSame(_ areSame: Bool, userID: String, now: Timestamp) throws -> Bool {
        let library = try open(userID: userID, now: now)
        guard try remastersAreSame(userID: userID) != areSame else { return false }
        let change = try transaction.nextChange()
        let progress = try regroupProgress(ofLibrary: library) ?? RegroupProgress(.done)
        // A key that no row has, and that is another one each time, so that a step that is under way does not count.
        let beginning = -change
        switch progress.stage {
        // Keys do not depend on it.
        case .dropKeys, .makeKeys: try set(progress, ofLibrary: library)
        case .group: try set(RegroupProgress(.group, after: beginning), ofLibrary: library)
        case .groupRemasters, .done:
            try set(RegroupProgress(.groupRemasters, after: beginning), ofLibrary: library)
        }
        try transaction.execute(
            """
            UPDATE libraries SET remasters_differ = \(!areSame), change = \(change), songs_change = \(change)
            WHERE user_id = \(userID)
            """)
        transaction.noteChange(of: [userID], topic: .library)
        return true
    }
}

extension LibraryStore {
    /// Whether a remaster is the same song as the original for a person; as services treat it, unless they say so.
    package func remastersAreSame(userID: String) throws -> Bool {
        let differ: Bool? = try transaction.row(
            "SELECT remasters_differ FROM libraries WHERE user_id = \(userID)")?["remasters_differ"]
        return !(differ ?? false)
    }
}
