import Model
import Storage

extension TrackStore where Access == ReadTransaction {
    /// The tracks with these ids, or the tracks that they were merged into, by the requested ids.
    package func presentTracks(_ ids: [LibraryID], userID: String) throws -> [LibraryID: LibraryTrack] {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [:] }
        let survivors = try transaction.trackIdentity.survivors(of: ids.map(\.key), library: library)
        let found = try tracks(ids: Array(Set(survivors.values)), library: library)
        let byKey = Dictionary(uniqueKeysWithValues: found.map { ($0.id.key, $0) })
        return survivors.reduce(into: [:]) { $0[LibraryID(key: $1.key)] = byKey[$1.value] }
    }

    /// References to songs, extended by the library's own ids for them: the id of a song in a service's catalog, and
    /// that of a track that was merged away, may both refer to a track of the library.
    package func names(of references: [String], userID: String) throws -> Set<String> {
        let songs = references.compactMap { SongReference($0) }
        var names = Set(references)
        let own = songs.compactMap { if case .library(let id) = $0 { id } else { nil } }
        names.formUnion(try presentTracks(own, userID: userID).values.map(\.id.text))
        for case .catalog(let source, let id) in songs {
            if let known = try track(ofCatalogID: id, at: source, userID: userID) { names.insert(known.text) }
        }
        return names
    }

    /// The track for a song in a service's catalog; `nil` if the library does not have it.
    package func track(ofCatalogID id: String, at source: MusicSource, userID: String) throws -> LibraryID? {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return nil }
        let key: Int64? =
            try sourceTracks([id], of: source, library: library)[id]?.trackID
            ?? transaction.row(
                """
                SELECT track_id FROM library_source_tracks
                WHERE library_id = \(library) AND source = \(source.number) AND catalog_id = \(id) LIMIT 1
                """)?["track_id"]
        return key.map { LibraryID(key: $0) }
    }
}
