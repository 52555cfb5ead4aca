import Identity
import Library
import Model
import Storage

extension TrackIdentityStore {
    /// The rules that a user's library follows, with their setting and decisions.
    func identity(ofLibrary library: Int64) throws -> TrackIdentity {
        TrackIdentity(rules: try rules(ofLibrary: library), decisions: try allDecisions(ofLibrary: library))
    }

    /// The decisions of a library's user, in the form that the rules use.
    func decisions(ofLibrary library: Int64) throws -> IdentityDecisions {
        IdentityDecisions(try allDecisions(ofLibrary: library))
    }

    /// Determines which source tracks form one track after a change, for all source tracks that it may affect: those
    /// that share candidate keys, ISRCs, decisions or tracks with what changed.
    func arrangeSourceTracks(affectedBy changes: SourceTrackChanges, library: Int64, by identity: TrackIdentity) throws
        -> TrackArrangement
    {
        var neighbors = Neighbors(changes, decisions: identity.decisions)
        while true {
            var ids = try sourceTrackIDs(ofTracks: neighbors.takeTracks(), library: library)
            if let lookup = neighbors.affected.next() {
                ids.formUnion(try sourceTrackIDs(for: lookup, library: library))
            } else if ids.isEmpty {
                break
            }
            // Whether a row is new is decided by its key alone, since reading a whole row takes longer.
            for row in try transaction.tracks.sourceTracks(ids: neighbors.unknown(ids), library: library) {
                neighbors.addMember(row)
            }
        }
        return TrackArrangement(identity.run(neighbors.affected.members), rows: neighbors.rows)
    }

    /// The keys of the tracks' source tracks.
    private func sourceTrackIDs(ofTracks ids: [Int64], library: Int64) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for part in ids.inParts {
            found.formUnion(
                try transaction.map(
                    """
                    SELECT id FROM library_source_tracks WHERE track_id IN (\(list: part)) AND library_id = \(library)
                    """
                ) { try $0["id"] as Int64 })
        }
        return found
    }

    private func sourceTrackIDs(for lookup: AffectedRecords.Lookup, library: Int64) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for keys in lookup.keys.inParts {
            found.formUnion(
                try transaction.map(
                    """
                    SELECT source_track_id FROM library_identity_keys
                    WHERE library_id = \(library) AND identity_key IN (\(list: keys))
                    """
                ) { try $0["source_track_id"] as Int64 })
        }
        for isrcs in lookup.isrcs.inParts {
            found.formUnion(
                try transaction.map(
                    """
                    SELECT id FROM library_source_tracks WHERE library_id = \(library) AND isrc IN (\(list: isrcs))
                    """
                ) { try $0["id"] as Int64 })
        }
        for source in MusicSource.allCases {
            for part in lookup.listings.filter({ $0.source == source.number }).map(\.id).inParts {
                found.formUnion(
                    try transaction.map(
                        """
                        SELECT id FROM library_source_tracks
                        WHERE library_id = \(library) AND source = \(source.number) AND source_id IN (\(list: part))
                        """
                    ) { try $0["id"] as Int64 })
            }
        }
        return found
    }
}

/// Collects the source tracks that a change may affect.
private struct Neighbors {
    var affected: AffectedRecords
    /// The rows, in the order of the members.
    private(set) var rows: [SourceTrackRow] = []
    private var listings: Set<Listing> = []
    private var ids: Set<Int64> = []
    private let removed: Set<Int64>
    private var seenTracks: Set<Int64> = []
    private var tracks: [Int64] = []

    init(_ changes: SourceTrackChanges, decisions: IdentityDecisions) {
        affected = AffectedRecords(decisions: decisions)
        removed = changes.removed
        for member in changes.new + changes.changed { addMember(member) }
        for member in changes.former {
            addTrack(member.row.trackID)
            affected.addFormer(member.row.listing, keys: member.profile.keys, isrc: member.profile.isrc)
        }
        for id in changes.tracks.sorted() { addTrack(id) }
    }

    /// The given source tracks that have not been added yet, in the order of their keys.
    func unknown(_ ids: Set<Int64>) -> [Int64] {
        ids.subtracting(self.ids).subtracting(removed).sorted()
    }

    /// Returns the tracks whose source tracks still have to be added.
    mutating func takeTracks() -> [Int64] {
        defer { tracks = [] }
        return tracks
    }

    mutating func addMember(_ row: SourceTrackRow) {
        guard !removed.contains(row.id), !listings.contains(row.listing) else { return }
        addMember(SourceTrackChanges.Member(row))
    }

    private mutating func addMember(_ member: SourceTrackChanges.Member) {
        guard listings.insert(member.row.listing).inserted else { return }
        rows.append(member.row)
        ids.insert(member.row.id)
        affected.add(Clustering.Member(listing: member.row.listing, profile: member.profile))
        addTrack(member.row.trackID)
    }

    private mutating func addTrack(_ id: Int64) {
        if id != 0, seenTracks.insert(id).inserted { tracks.append(id) }
    }
}
