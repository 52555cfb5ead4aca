import LibraryFiles
import Model
import Storage

extension TrackStore {
    /// Songs in the order of their keys.
    ///
    /// - Parameters:
    ///   - id: the key to start after; 0 starts with the first song.
    ///   - savedOnly: whether to leave out songs that are only in playlists, such as songs that are no longer saved.
    package func exportedTracks(
        userID: String, after id: Int64, savedOnly: Bool, limit: Int
    ) throws -> [ExportTrack] {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [] }
        let isListed: SQL = """
            EXISTS (
                SELECT 1 FROM library_source_tracks AS parts
                JOIN library_playlist_entries AS entries ON entries.source_track_id = parts.id
                JOIN library_playlists AS lists ON lists.id = entries.playlist_id
                    AND lists.entries_version = entries.version AND lists.missing_since IS NULL
                WHERE parts.track_id = library_tracks.id AND +parts.library_id = library_tracks.library_id)
            """
        let isExported: SQL =
            savedOnly ? "missing_since IS NULL AND is_saved = 1" : "(missing_since IS NULL OR \(isListed))"
        let ids = try transaction.map(
            """
            SELECT id FROM library_tracks
            WHERE library_id = \(library) AND id > \(id) AND \(isExported) ORDER BY id LIMIT \(limit)
            """
        ) { try $0["id"] as Int64 }
        let tracks = try exportedTracks(ids, library: library)
        return ids.compactMap { tracks[$0] }
    }

    func exportedTracks(_ ids: [Int64], library: Int64) throws -> [Int64: ExportTrack] {
        var found: [Int64: ExportTrack] = [:]
        for part in Array(Set(ids)).inParts {
            let parts = try parts(ofTracks: Array(part), library: library)
            for track in try tracks(ids: Array(part), library: library) {
                let id = track.id.key
                found[id] = ExportTrack(
                    id: id, track: SourceTrack(track, of: parts[id] ?? []),
                    isSaved: track.isInLibrary && track.missingSince == nil)
            }
        }
        return found
    }
}

extension SourceTrack {
    /// A track in the form in which files contain it.
    ///
    /// - Parameter parts: its source tracks.
    fileprivate init(_ track: LibraryTrack, of parts: [SourceTrackRow]) {
        self.init(sourceID: "", title: track.title, artist: track.artist, album: track.album)
        albumArtist = track.albumArtist
        composer = track.composer
        genres = track.genres
        durationMs = track.durationMs
        isrc = track.isrc
        isExplicit = track.isExplicit
        discNumber = track.discNumber
        trackNumber = track.trackNumber
        releaseDate = track.releaseDate.flatMap { ReleaseDate($0) }
        artworkURL = track.artworkURL
        addedAt = track.addedAt
        playCount = parts.compactMap(\.track.playCount).max()
        lastPlayedAt = parts.compactMap(\.track.lastPlayedAt).max()
        rating = parts.compactMap(\.track.rating).first
        sourceID = LibraryFileWriter.key(of: self, uri: parts.lazy.compactMap(\.address).first)
    }
}

extension SourceTrackRow {
    /// The address in a service's catalog, which files use as a key; `nil` if there is none.
    fileprivate var address: String? {
        switch source {
        case .spotify: "spotify:track:\(track.sourceID)"
        case .appleMusic: track.catalogID.map { "appleMusic:track:\($0)" }
        case .file: track.sourceID
        }
    }
}
