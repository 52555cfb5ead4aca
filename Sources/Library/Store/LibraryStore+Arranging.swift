import Identity
import Model
import Storage

extension LibraryStore {
    /// Which source tracks are one track after a change, of all that it may touch: those that share candidate keys,
    /// ISRCs, decisions or tracks with what changed.
    func arrange(_ changes: SourceTrackChanges, library: Int64, by identity: TrackIdentity) throws -> TrackArrangement {
        var neighbours = Neighbours(changes, decisions: identity.decisions)
        while true {
            let tracks = neighbours.takeTracks()
            for parts in try parts(ofTracks: tracks, library: library).values { parts.forEach { neighbours.add($0) } }
            guard let lookup = neighbours.affected.next() else {
                if neighbours.hasTracks { continue }
                break
            }
            try sourceTracks(for: lookup, library: library).forEach { neighbours.add($0) }
        }
        return TrackArrangement(identity.run(neighbours.affected.members), rows: neighbours.rows)
    }

    /// The rules that a person's library follows.
    func identity(ofLibrary library: Int64) throws -> TrackIdentity {
        let differ: Bool =
            try transaction.row("SELECT remasters_differ FROM libraries WHERE id = \(library)")?["remasters_differ"]
            ?? false
        return TrackIdentity(
            rules: IdentityRules(remastersAreSame: !differ), decisions: try decisions(ofLibrary: library))
    }

    private func sourceTracks(for lookup: AffectedRecords.Lookup, library: Int64) throws -> [SourceTrackRow] {
        var found: [SourceTrackRow] = []
        // The plus keeps SQLite from walking the whole library by an index that begins with library_id.
        for keys in lookup.keys.inParts {
            found += try transaction.map(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE +library_id = \(library) AND id IN (
                    SELECT source_track_id FROM library_identity_keys
                    WHERE library_id = \(library) AND identity_key IN (\(list: keys)))
                """, SourceTrackRow.init)
        }
        for isrcs in lookup.isrcs.inParts {
            found += try transaction.map(
                """
                SELECT \(SourceTrackRow.columns) FROM library_source_tracks
                WHERE library_id = \(library) AND isrc IN (\(list: isrcs))
                """, SourceTrackRow.init)
        }
        for source in MusicSource.allCases {
            let ids = lookup.listings.filter { $0.source == source.number }.map(\.id)
            found += try sourceTracks(ids, of: source, library: library).values
        }
        return found
    }
}

/// The source tracks that a change may touch, as they are found.
private struct Neighbours {
    var affected: AffectedRecords
    /// In the order of the members.
    private(set) var rows: [SourceTrackRow] = []
    private var listings: Set<Listing> = []
    private let removed: Set<Int64>
    private var seenTracks: Set<Int64> = []
    private var tracks: [Int64] = []

    init(_ changes: SourceTrackChanges, decisions: IdentityDecisions) {
        affected = AffectedRecords(decisions: decisions)
        removed = changes.removed
        for member in changes.new + changes.changed { add(member) }
        for member in changes.former {
            note(track: member.row.trackID)
            affected.addFormer(member.row.listing, keys: member.profile.keys, isrc: member.profile.isrc)
        }
        for id in changes.tracks.sorted() { note(track: id) }
    }

    var hasTracks: Bool { !tracks.isEmpty }

    /// Tracks whose source tracks are still to be added.
    mutating func takeTracks() -> [Int64] {
        defer { tracks = [] }
        return tracks
    }

    mutating func add(_ row: SourceTrackRow) {
        guard !removed.contains(row.id), !listings.contains(row.listing) else { return }
        add(SourceTrackChanges.Member(row))
    }

    private mutating func add(_ member: SourceTrackChanges.Member) {
        guard listings.insert(member.row.listing).inserted else { return }
        rows.append(member.row)
        affected.add(Clustering.Member(listing: member.row.listing, profile: member.profile))
        note(track: member.row.trackID)
    }

    private mutating func note(track id: Int64) {
        if id != 0, seenTracks.insert(id).inserted { tracks.append(id) }
    }
}
