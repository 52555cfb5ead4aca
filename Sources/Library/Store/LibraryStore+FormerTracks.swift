import Model
import Storage

extension LibraryStore {
    /// The track that a person's id stands for: its own, or that of the track that it was merged into.
    ///
    /// - Returns: `nil` for an id that the library does not know.
    package func survivor(of id: LibraryID, userID: String) throws -> LibraryID? {
        guard let library = try libraryID(ofUser: userID) else { return nil }
        return try survivor(of: id.key, library: library).map { LibraryID(key: $0) }
    }

    func survivor(of id: Int64, library: Int64) throws -> Int64? {
        let own = try transaction.row("SELECT id FROM library_tracks WHERE id = \(id) AND +library_id = \(library)")
        if own != nil { return id }
        return try transaction.row(
            "SELECT track_id FROM library_former_tracks WHERE id = \(id) AND +library_id = \(library)"
        )?["track_id"]
    }

    /// Tracks, or those that they were merged into, by the keys that were asked for. Unknown keys are left out.
    func survivors(of ids: [Int64], library: Int64) throws -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        for part in ids.inParts {
            let present: [Int64] = try transaction.map(
                "SELECT id FROM library_tracks WHERE +library_id = \(library) AND id IN (\(list: part))"
            ) { try $0["id"] }
            for id in present { found[id] = id }
            let merged = part.filter { found[$0] == nil }
            guard !merged.isEmpty else { continue }
            try transaction.forEachRow(
                """
                SELECT id, track_id FROM library_former_tracks
                WHERE +library_id = \(library) AND id IN (\(list: merged))
                """
            ) {
                found[try $0["id"]] = try $0["track_id"] as Int64
                return .goOn
            }
        }
        return found
    }

    /// The ids of merged tracks whose first source track was one of these, by it. Of several, the oldest.
    func formerTracks(ofSourceTracks ids: [Int64], library: Int64) throws -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT id, source_track_id FROM library_former_tracks
                WHERE source_track_id IN (\(list: part)) AND library_id = \(library) ORDER BY id DESC
                """
            ) {
                found[try $0["source_track_id"]] = try $0["id"] as Int64
                return .goOn
            }
        }
        return found
    }
}

extension LibraryStore where Access == WriteTransaction {
    /// Keeps the ids of merged tracks. Each stands for the track that has its first source track; once that one is gone,
    /// for the track that had it last.
    ///
    /// - Parameters:
    ///   - gone: tracks without source tracks. Ids that stood for those are forgotten.
    ///   - moved: the source tracks that have another track now, by it.
    func keepFormer(
        _ merged: [(id: Int64, survivor: Int64, sourceTrack: Int64)], gone: Set<Int64>,
        moved: [Int64: [SourceTrackRow]], library: Int64
    ) throws {
        for track in merged {
            try transaction.execute(
                """
                UPDATE library_former_tracks SET track_id = \(track.survivor)
                WHERE track_id = \(track.id) AND library_id = \(library)
                """)
            try transaction.execute(
                """
                INSERT INTO library_former_tracks (id, library_id, track_id, source_track_id)
                VALUES (\(track.id), \(library), \(track.survivor), \(track.sourceTrack))
                """)
        }
        for (trackID, rows) in moved.sorted(by: { $0.key < $1.key }) {
            for part in rows.map(\.id).inParts {
                try transaction.execute(
                    """
                    UPDATE library_former_tracks SET track_id = \(trackID)
                    WHERE source_track_id IN (\(list: part)) AND library_id = \(library)
                    """)
            }
        }
        for part in gone.subtracting(merged.map(\.id)).sorted().inParts {
            try transaction.execute(
                "DELETE FROM library_former_tracks WHERE track_id IN (\(list: part)) AND library_id = \(library)")
        }
    }

    /// Forgets an id that is a track's own again.
    func deleteFormerTrack(_ id: Int64, library: Int64) throws {
        try transaction.execute("DELETE FROM library_former_tracks WHERE id = \(id) AND +library_id = \(library)")
    }
}
