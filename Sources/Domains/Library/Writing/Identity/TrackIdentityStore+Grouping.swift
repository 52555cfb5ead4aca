import Identity
import Library
import Model
import Storage

extension TrackIdentityStore where Access == WriteTransaction {
    /// Assigns source tracks that changed, and their neighbors, to tracks, and writes the result: the new source
    /// tracks, the tracks, the ids of merged tracks, and the pairs that may be the same song.
    ///
    /// Changed rows must already be in the database; removed rows are deleted by the caller.
    @discardableResult
    func regroupTracks(
        affectedBy changes: SourceTrackChanges, by identity: TrackIdentity, in writes: inout LibraryWrites
    ) throws -> RegroupResult {
        let library = writes.libraryID
        let arrangement = try arrangeSourceTracks(affectedBy: changes, library: library, by: identity)
        var placement = TrackIDAssignment(
            arrangement, try anchors(of: arrangement, changes, by: identity, library: library))
        for index in placement.trackIDs.indices where placement.trackIDs[index] == nil {
            placement.setID(writes.nextKey(), at: index)
        }

        var result = RegroupResult()
        result.merged = placement.merged.count
        var group = TrackGroup()
        let newNames = Dictionary(changes.new.map { ($0.row.id, $0.names) }) { first, _ in first }
        var newRows: [SourceTrackRow] = []
        var moved: [Int64: [SourceTrackRow]] = [:]
        var touched = changes.tracks
            .union((changes.changed + changes.former).map(\.row.trackID)).subtracting([0])
        for (cluster, trackID) in zip(arrangement.clusters, placement.trackIDs) {
            guard let trackID else { continue }
            group.parts[trackID] = cluster.map { $0.moved(to: trackID) }
            for row in cluster where row.trackID != trackID {
                touched.formUnion([row.trackID, trackID])
                if let names = newNames[row.id] {
                    newRows.append(row.moved(to: trackID))
                    result.joined += Self.joins(row, names, cluster) ? 1 : 0
                    group.newNames[trackID] = cluster.count == 1 ? names : nil
                } else {
                    moved[trackID, default: []].append(row)
                }
            }
            for row in cluster { result.trackIDs[row.id] = trackID }
        }
        touched.remove(0)
        result.moved = moved.values.reduce(0) { $0 + $1.count }
        for row in newRows.sorted(by: { $0.id < $1.id }) {
            try transaction.tracks.insertSourceTrack(row, library: library, now: writes.now)
        }
        for member in changes.new { try insertKeys(member.profile.keys, of: member.row.id, library: library) }
        for (trackID, rows) in moved.sorted(by: { $0.key < $1.key }) {
            try transaction.tracks.moveSourceTracks(rows, to: trackID, library: library)
        }
        let known = arrangement.trackIDs.union(changes.tracks).union(changes.former.map(\.row.trackID))
        try transaction.tracks.loadTracks(touched.intersection(known), library: library, into: &group)
        try transaction.tracks.storeTracks(touched, of: group, in: &writes)
        let gone = touched.filter { group.parts[$0]?.isEmpty ?? true }
        try storeFormerIDs(placement, gone: gone, library: library)
        try dropAnchors(of: arrangement, placement, library: library)
        result.changesDuplicates = try storeDuplicates(arrangement, placement.trackIDs, gone: gone, library: library)
        if result.isChange { writes.isChanged = true }
        if result.merged > 0 || result.moved > 0 || changes.areOfSongs { writes.changesSongs = true }
        return result
    }

    /// Whether a new source track joined others that have different names, so that it would be a track of its own if
    /// only names counted.
    private static func joins(_ row: SourceTrackRow, _ names: FoldedNames?, _ cluster: [SourceTrackRow]) -> Bool {
        let others = cluster.filter { $0.trackID != 0 }
        guard let names, !others.isEmpty else { return false }
        return !others.contains { FoldedNames($0.track) == names }
    }
}

extension SourceTrackRow {
    func moved(to trackID: Int64) -> SourceTrackRow {
        var row = self
        row.trackID = trackID
        return row
    }
}
