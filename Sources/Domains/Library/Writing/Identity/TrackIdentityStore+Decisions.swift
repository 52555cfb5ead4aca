import Identity
import Library
import Model
import Storage

/// Why a decision about tracks is refused. Nothing was changed.
package enum TrackDecisionError: Error, Sendable, Hashable {
    case noTrack
    /// The track has no such source track.
    case noSourceTrack
    case noDecision
    /// Fewer than two tracks are left, since some of the ids refer to the same track.
    case oneTrack
    /// The user has already declared the tracks different.
    case alreadyApart
    /// A part would have no source tracks.
    case splitsNothing
}

extension TrackIdentityStore where Access == WriteTransaction {
    /// Makes tracks the same song, no matter what the rules say and what later syncs bring.
    ///
    /// - Parameter ids: the ids of at least two tracks; ids of merged tracks refer to their survivors.
    /// - Returns: the remaining track, and the decision, with which the merge can be undone.
    /// - Throws: ``TrackDecisionError``, or ``StorageError``.
    package func merge(
        _ ids: [LibraryID], userID: String, now: Timestamp
    ) throws -> (track: LibraryID, decision: LibraryID) {
        let (library, tracks) = try distinctTracks(ids, userID: userID)
        let parts = tracks.values.flatMap { $0 }
        var writes = try transaction.library.beginWrites(library: library, userID: userID, sync: 0, now: now)
        let decision = TrackDecision(
            id: LibraryID(key: writes.nextKey()), kind: .merge, at: now, sides: [parts.map(\.listing).sorted()],
            holdsSides: true)
        try insertDecision(decision, library: library)
        let result = try regroupTracks(
            affectedBy: SourceTrackChanges(deciding: parts), by: identity(ofLibrary: library), in: &writes)
        writes.isChanged = true
        try transaction.library.finishWrites(writes)
        guard let track = result.trackIDs[parts[0].id] else { throw TrackDecisionError.noTrack }
        return (LibraryID(key: track), decision.id)
    }

    /// Makes tracks different songs, no matter what the rules say: the answer "no" to whether they are the same.
    ///
    /// - Parameter ids: the ids of at least two tracks.
    /// - Returns: the decision, with which it can be undone.
    /// - Throws: ``TrackDecisionError``, or ``StorageError``.
    package func separate(_ ids: [LibraryID], userID: String, now: Timestamp) throws -> LibraryID {
        let (library, tracks) = try distinctTracks(ids, userID: userID)
        let sides = tracks.sorted { $0.key < $1.key }.map { $0.value.map(\.listing).sorted() }
        // A second decision about the same pairs would have no effect when undone.
        guard try !decisions(ofLibrary: library).separates(sides) else { throw TrackDecisionError.alreadyApart }
        var writes = try transaction.library.beginWrites(library: library, userID: userID, sync: 0, now: now)
        let decision = TrackDecision(
            id: LibraryID(key: writes.nextKey()), kind: .split, at: now, sides: sides, holdsSides: false)
        try insertDecision(decision, library: library)
        try regroupTracks(
            affectedBy: SourceTrackChanges(deciding: tracks.values.flatMap { $0 }), by: identity(ofLibrary: library),
            in: &writes)
        writes.isChanged = true
        try transaction.library.finishWrites(writes)
        return decision.id
    }

    /// Moves source tracks to a track of their own, where they stay no matter what the rules say and what later syncs
    /// bring. The others keep the track's id.
    ///
    /// - Parameters:
    ///   - id: the id of the track; that of a merged track refers to its survivor.
    ///   - sourceTracks: some of the track's source tracks, but not all.
    /// - Returns: the two tracks, starting with the one that keeps the id, and the decision, with which the split can
    ///   be undone.
    /// - Throws: ``TrackDecisionError``, or ``StorageError``.
    package func split(
        _ id: LibraryID, _ sourceTracks: [LibraryID], userID: String, now: Timestamp
    ) throws -> (tracks: [LibraryID], decision: LibraryID) {
        guard let library = try transaction.library.libraryID(ofUser: userID),
            let track = try survivor(of: id.key, library: library)
        else {
            throw TrackDecisionError.noTrack
        }
        let parts = try transaction.tracks.parts(ofTracks: [track], library: library)[track] ?? []
        let wanted = Set(sourceTracks.map(\.key))
        guard wanted.isSubset(of: parts.map(\.id)) else { throw TrackDecisionError.noSourceTrack }
        let (leaving, staying) = (parts.filter { wanted.contains($0.id) }, parts.filter { !wanted.contains($0.id) })
        guard let first = leaving.first, let other = staying.first else { throw TrackDecisionError.splitsNothing }
        var writes = try transaction.library.beginWrites(library: library, userID: userID, sync: 0, now: now)
        var decision = TrackDecision(
            id: LibraryID(key: writes.nextKey()), kind: .split, at: now,
            sides: [staying.map(\.listing).sorted(), leaving.map(\.listing).sorted()], splitTrack: track,
            holdsSides: false)
        var changes = SourceTrackChanges(deciding: parts)
        changes.splitTrack = track
        // What was one track because of the other source tracks may not be one without them, but the user expects two
        // songs.
        let known = try allDecisions(ofLibrary: library)
        let identity = try identity(ofLibrary: library)
        let without = TrackIdentity(rules: identity.rules, decisions: known + [decision])
        let clusters = try arrangeSourceTracks(affectedBy: changes, library: library, by: without).clusters.filter {
            cluster in
            cluster.contains { $0.trackID == track }
        }
        decision.holdsSides = clusters.count > 2
        try insertDecision(decision, library: library)
        let result = try regroupTracks(
            affectedBy: changes, by: TrackIdentity(rules: identity.rules, decisions: known + [decision]), in: &writes)
        writes.isChanged = true
        try transaction.library.finishWrites(writes)
        guard let kept = result.trackIDs[other.id], let left = result.trackIDs[first.id] else {
            throw TrackDecisionError.noTrack
        }
        return ([LibraryID(key: kept), LibraryID(key: left)], decision.id)
    }

    /// Undoes a decision: the source tracks are assigned according to the rules and the other decisions.
    ///
    /// - Returns: the tracks that the source tracks then belong to, oldest first.
    /// - Throws: ``TrackDecisionError/noDecision``, or ``StorageError``.
    package func undo(_ id: LibraryID, userID: String, now: Timestamp) throws -> [LibraryID] {
        guard let library = try transaction.library.libraryID(ofUser: userID),
            let decision = try allDecisions(ofLibrary: library).first(where: { $0.id == id })
        else { throw TrackDecisionError.noDecision }
        try transaction.run("DELETE FROM library_decisions WHERE id = \(id.key) AND +library_id = \(library)")
        try transaction.run(
            "DELETE FROM library_decision_tracks WHERE library_id = \(library) AND decision_id = \(id.key)")
        var rows: [SourceTrackRow] = []
        for source in MusicSource.allCases {
            let ids = decision.listings.filter { $0.source == source.number }.map(\.id)
            rows += try transaction.tracks.sourceTracks(ids, of: source, library: library).values
        }
        var writes = try transaction.library.beginWrites(library: library, userID: userID, sync: 0, now: now)
        var changes = SourceTrackChanges(deciding: rows)
        changes.splitTrack = decision.splitTrack
        let result = try regroupTracks(affectedBy: changes, by: identity(ofLibrary: library), in: &writes)
        writes.isChanged = true
        try transaction.library.finishWrites(writes)
        return Set(rows.compactMap { result.trackIDs[$0.id] }).sorted().map { LibraryID(key: $0) }
    }

    /// The source tracks of the given tracks, of which there must be at least two.
    private func distinctTracks(
        _ ids: [LibraryID], userID: String
    ) throws -> (library: Int64, tracks: [Int64: [SourceTrackRow]]) {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { throw TrackDecisionError.noTrack }
        let tracks = try ids.map { id in
            guard let track = try survivor(of: id.key, library: library) else { throw TrackDecisionError.noTrack }
            return track
        }
        guard Set(tracks).count > 1 else { throw TrackDecisionError.oneTrack }
        return (library, try transaction.tracks.parts(ofTracks: Array(Set(tracks)), library: library))
    }

    private func insertDecision(_ decision: TrackDecision, library: Int64) throws {
        try transaction.run(
            """
            INSERT INTO library_decisions (id, library_id, kind, holds_sides, split_track_id, at)
            VALUES (\(decision.id.key), \(library), \(decision.kind.rawValue), \(decision.holdsSides),
                \(decision.splitTrack), \(decision.at))
            """)
        for (index, side) in decision.sides.enumerated() {
            for listing in side {
                try transaction.run(
                    """
                    INSERT INTO library_decision_tracks (library_id, decision_id, source, source_id, side)
                    VALUES (\(library), \(decision.id.key), \(listing.source), \(listing.id), \(index))
                    """)
            }
        }
    }
}

extension IdentityDecisions {
    /// Whether any two listings of different parts are held apart.
    fileprivate func separates(_ sides: [[Listing]]) -> Bool {
        sides.indices.allSatisfy { index in
            sides[index].allSatisfy { one in
                sides[..<index].joined().allSatisfy { apart.contains(Pair(one, $0)) }
            }
        }
    }
}

extension SourceTrackChanges {
    /// Creates the changes for source tracks about which the user makes a decision.
    fileprivate init(deciding rows: [SourceTrackRow]) {
        changed = rows.map { Member($0) }
        tracks = Set(rows.map(\.trackID))
        isDecision = true
    }
}
