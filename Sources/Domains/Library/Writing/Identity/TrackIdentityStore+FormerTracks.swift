import Library
import Model
import Storage

extension TrackIdentityStore {
    /// The source tracks that the ids of arranged tracks are tied to, where this affects the result.
    func anchors(
        of arrangement: TrackArrangement, _ changes: SourceTrackChanges, by identity: TrackIdentity, library: Int64
    ) throws -> TrackAnchors {
        let rows = (changes.isDecision ? arrangement.clusters : arrangement.undecided).joined()
            .filter { $0.trackID != 0 }
        var anchors = TrackAnchors()
        guard !rows.isEmpty else { return anchors }
        (anchors.staying, anchors.splitTrack) = (identity.staying, changes.splitTrack)
        anchors.mergedMaySurvive = changes.isDecision
        let present = Set(rows.map(\.trackID))
        func add(_ row: Row) throws {
            let (id, track): (Int64, Int64) = (try row["id"], try row["track_id"])
            // Any other id belongs to a track whose source tracks are not among these.
            guard id != track || present.contains(id) else { return }
            anchors.sourceTracks[id] = try row["source_track_id"] as Int64
            if id != track { anchors.merged[id] = track }
        }
        for part in present.union(identity.staying.keys).union(changes.splitTrack.map { [$0] } ?? []).sorted().inParts {
            try transaction.forEachRow(
                """
                SELECT id, track_id, source_track_id FROM library_former_tracks
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """
            ) {
                try add($0)
                return .continue
            }
        }
        for part in rows.map(\.id).inParts {
            try transaction.forEachRow(
                """
                SELECT id, track_id, source_track_id FROM library_former_tracks
                WHERE source_track_id IN (\(list: part)) AND library_id = \(library)
                """
            ) {
                try add($0)
                return .continue
            }
        }
        return anchors
    }
}

extension TrackIdentityStore where Access == WriteTransaction {
    /// Stores the ids of merged tracks, and the source track of each. Each id refers to the track that has its source
    /// track, or once that is gone, to the track that had it last.
    ///
    /// - Parameters:
    ///   - placement: the placement, with an id for each cluster.
    ///   - gone: tracks without source tracks. Ids that referred to them are deleted.
    func storeFormerIDs(_ placement: TrackIDAssignment, gone: Set<Int64>, library: Int64) throws {
        for (id, sourceTrack) in placement.anchored.sorted(by: { $0.id < $1.id }) {
            try transaction.run(
                """
                INSERT INTO library_former_tracks (id, library_id, track_id, source_track_id)
                VALUES (\(id), \(library), \(id), \(sourceTrack)) ON CONFLICT (id) DO NOTHING
                """)
        }
        for (id, survivor) in placement.merged.sorted(by: { $0.id < $1.id }) {
            try transaction.run(
                """
                UPDATE library_former_tracks SET track_id = \(survivor)
                WHERE track_id = \(id) AND library_id = \(library)
                """)
        }
        let placed =
            placement.revived.map { ($0, $0) }
            + placement.answering.compactMap { id, cluster in placement.trackIDs[cluster].map { (id, $0) } }
        for (id, track) in placed.sorted(by: { $0.0 < $1.0 }) {
            try transaction.run(
                """
                UPDATE library_former_tracks SET track_id = \(track)
                WHERE id = \(id) AND +library_id = \(library) AND track_id <> \(track)
                """)
        }
        for part in gone.subtracting(placement.merged.map(\.id)).sorted().inParts {
            try transaction.run(
                "DELETE FROM library_former_tracks WHERE track_id IN (\(list: part)) AND library_id = \(library)")
        }
    }

    /// Deletes the stored source tracks of tracks that no other id refers to, if the stored source track is the track's
    /// first.
    func dropAnchors(of arrangement: TrackArrangement, _ placement: TrackIDAssignment, library: Int64) throws {
        var first: [Int64: SourceTrackRow] = [:]
        for (cluster, track) in zip(arrangement.clusters, placement.trackIDs) {
            guard let track, placement.written.contains(track) else { continue }
            first[track] = cluster.min { $0.precedes($1) }
        }
        guard !first.isEmpty else { return }
        var needed: Set<Int64> = []
        for part in first.keys.sorted().inParts {
            try transaction.forEachRow(
                """
                SELECT track_id FROM library_former_tracks
                WHERE track_id IN (\(list: part)) AND library_id = \(library) AND id <> track_id
                """
            ) {
                needed.insert(try $0["track_id"])
                return .continue
            }
        }
        for (track, row) in first.sorted(by: { $0.key < $1.key }) where !needed.contains(track) {
            try transaction.run(
                """
                DELETE FROM library_former_tracks
                WHERE id = \(track) AND +library_id = \(library) AND source_track_id = \(row.id)
                """)
        }
    }
}
