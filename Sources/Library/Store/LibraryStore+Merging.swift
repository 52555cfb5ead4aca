import Model
import Storage

extension LibraryStore {
    /// The tracks of a library that have an ISRC in common.
    package func equalTracks(inLibrary library: Int64) throws -> [EqualTracks] {
        var groups: [EqualTracks] = []
        var last: (isrc: String, id: Int64)?
        try transaction.forEachRow(
            """
            SELECT isrc, id FROM library_tracks WHERE library_id = \(library) AND isrc IS NOT NULL ORDER BY isrc, id
            """
        ) { row in
            let (isrc, id): (String, Int64) = (try row["isrc"], try row["id"])
            if let last, last.isrc == isrc {
                if groups.last?.isrc == isrc {
                    groups[groups.count - 1].ids.append(id)
                } else {
                    groups.append(EqualTracks(isrc: isrc, ids: [last.id, id]))
                }
            }
            last = (isrc, id)
            return .goOn
        }
        return groups
    }
}

extension LibraryStore where Access == WriteTransaction {
    /// Merges tracks with equal ISRCs. Playlists stay as they are, since their entries name source tracks.
    ///
    /// - Parameter groups: as ``equalTracks(inLibrary:)`` has found them. Tracks that have gone since, or have another
    ///   ISRC, are left out.
    package func mergeTracks(
        _ groups: [EqualTracks], ofLibrary library: Int64, userID: String, sync: Int64, now: Timestamp
    ) throws -> MergeEffect {
        var effect = MergeEffect()
        var tracks = try tracks(groups.flatMap(\.ids), library: library)
        var writes = try begin(library: library, userID: userID, sync: sync, now: now)
        var changed: Set<Int64> = []
        for group in groups {
            let ids = group.ids.filter { tracks.before[$0]?.isrc == group.isrc }
            guard ids.count > 1,
                let merge = TrackMatching.current.merge(ids.map { tracks.candidate($0) }, isrc: group.isrc)
            else { continue }
            var free = ids.filter { $0 != merge.survivor }
            for id in ids { tracks.parts[id] = [] }
            effect.moved += try place(merge.kept, on: merge.survivor, of: &tracks, library: library)
            changed.formUnion(ids)
            for parts in merge.apart {
                let id = free.isEmpty ? writes.nextKey() : free.removeFirst()
                effect.moved += try place(parts, on: id, of: &tracks, library: library)
                changed.insert(id)
            }
            effect.merged += free.count
        }
        try write(changed, of: tracks, in: &writes)
        if effect.isChange { writes.isChanged = true }
        try finish(writes)
        return effect
    }

    /// Makes source tracks those of a track.
    ///
    /// - Returns: the number of those that had another one.
    private func place(
        _ parts: [SourceTrackRow], on trackID: Int64, of tracks: inout TrackGroup, library: Int64
    ) throws -> Int {
        let moved = parts.filter { $0.trackID != trackID }
        try move(moved, to: trackID, library: library)
        tracks.parts[trackID, default: []] += parts.map { part in
            var part = part
            part.trackID = trackID
            return part
        }
        return moved.count
    }
}
