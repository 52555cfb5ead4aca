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
        let group = try trackGroup(ids, library: library)
        return group.before.reduce(into: [:]) { found, track in
            let (id, values) = track
            var file = SourceTrack(sourceID: "", title: values.title, artist: values.artist, album: values.album)
            file.albumArtist = values.albumArtist
            file.composer = values.composer
            file.genres = values.genres
            file.durationMs = values.durationMs
            file.isrc = values.isrc
            file.isExplicit = values.isExplicit
            file.discNumber = values.discNumber
            file.trackNumber = values.trackNumber
            file.releaseDate = values.releaseDate
            file.artworkURL = values.artworkURL
            let parts = group.parts[id] ?? []
            file.addedAt = values.addedAt
            file.playCount = parts.compactMap(\.track.playCount).max()
            file.lastPlayedAt = parts.compactMap(\.track.lastPlayedAt).max()
            file.rating = parts.compactMap(\.track.rating).first
            file.sourceID = LibraryFileWriter.key(of: file, uri: parts.lazy.compactMap(\.address).first)
            found[id] = ExportTrack(id: id, track: file, isSaved: values.isSaved && values.missingSince == nil)
        }
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
