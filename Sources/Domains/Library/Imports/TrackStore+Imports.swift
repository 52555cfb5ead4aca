import Library
import LibraryWriting
import Model
import Storage

extension TrackStore where Access == WriteTransaction {
    /// Writes songs from a file.
    ///
    /// - Returns: the keys of their source tracks; the number of songs among them that are new to the library; the
    ///   number of new source tracks, and the approximate number of characters in these.
    func storeImportedTracks(
        _ items: [(track: IncomingTrack, isSaved: Bool)], by scan: SourceScan, now: Timestamp
    ) throws -> (ids: [Int64], new: Int, rows: Int, characters: Int) {
        var writes = try transaction.library.beginWrites(by: scan, now: now)
        let lastBefore = writes.lastKey
        var ids: Set<Int64> = []
        for isSaved in [true, false] {
            var tracks = items.filter { $0.isSaved == isSaved }.map(\.track)
            if !isSaved { tracks = tracks.withEarliestDates }
            guard !tracks.isEmpty else { continue }
            ids.formUnion(try storeSourceTracks(tracks, areSaved: isSaved, by: scan, in: &writes).ids.values)
        }
        try transaction.library.finishWrites(writes)
        let sorted = ids.sorted()
        var songs: Set<Int64> = []
        for part in sorted.inParts {
            songs.formUnion(
                try transaction.map(
                    """
                    SELECT track_id FROM library_source_tracks
                    WHERE +library_id = \(scan.libraryID) AND id IN (\(list: part)) AND track_id > \(lastBefore)
                    """
                ) { try $0["track_id"] as Int64 })
        }
        let rows = sorted.count { $0 > lastBefore }
        let characters = items.reduce(0) { $0 + $1.track.characters }
        return (sorted, songs.count, rows, characters / max(1, items.count) * rows)
    }

    // MARK: Removal

    func removeImported(tracks ids: [Int64], library: Int64, userID: String, now: Timestamp) throws {
        guard !ids.isEmpty else { return }
        var writes = try transaction.library.beginWrites(library: library, userID: userID, sync: 0, now: now)
        writes.isChanged = true
        try transaction.sourceRemovals.removeSourceTracks(ids, library: library, in: &writes)
        try transaction.library.finishWrites(writes)
    }
}

extension [IncomingTrack] {
    /// Each song once, with its earliest date: that of its first entry in a playlist.
    fileprivate var withEarliestDates: [IncomingTrack] {
        var places: [String: Int] = [:]
        return reduce(into: []) { tracks, incoming in
            guard let place = places[incoming.track.sourceID] else {
                places[incoming.track.sourceID] = tracks.count
                tracks.append(incoming)
                return
            }
            var track = tracks[place].track
            track.addedAt = [track.addedAt, incoming.track.addedAt].compactMap(\.self).min()
            tracks[place] = tracks[place].updated(to: track)
        }
    }
}

extension IncomingTrack {
    /// The approximate number of characters in its texts.
    fileprivate var characters: Int {
        let texts = [track.title, track.artist, track.album, track.albumArtist ?? "", track.composer ?? ""]
        return (texts + track.genres + [track.artworkURL ?? ""]).reduce(0) { $0 + $1.unicodeScalars.count }
    }
}
