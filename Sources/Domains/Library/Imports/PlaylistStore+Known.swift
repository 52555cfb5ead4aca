import Library
import LibraryFiles
import LibraryWriting
import Model
import Storage

/// The maximum number of same-named playlists that a file's playlist is compared with. Playlists from the same kind of
/// file do not count.
private let mostNamesakes = 4
/// The number of entries that are compared at a time.
private let comparedEntries = 500

extension PlaylistStore {
    /// Finds the library's playlist that is the same as a file's playlist, although no such file added it: the one
    /// whose id at a service the file contains, as Backline's exports do, or one with the same name and the same songs
    /// in the same order.
    ///
    /// A playlist that is missing at its service does not count, so that the file restores it. Must be called after the
    /// file's songs were written.
    ///
    /// - Parameter source: the source of the file's rows. Playlists that such files added are found by their keys
    ///   instead.
    /// - Returns: the playlist's key; `nil` if the library does not have the playlist, or if such a file added it.
    func knownPlaylist(_ file: FilePlaylist, of source: MusicSource, userID: String) throws -> Int64? {
        guard let library = try transaction.library.libraryID(ofUser: userID),
            try playlistKey(of: file.key, at: source, library: library, isPresent: false) == nil
        else { return nil }
        if source == .file, let (service, id) = file.address,
            let key = try playlistKey(of: id, at: service, library: library, isPresent: true)
        {
            return key
        }
        let namesakes = try transaction.map(
            """
            SELECT \(LibraryPlaylist.columns) FROM library_playlists
            WHERE library_id = \(library) AND name_key = \(LibrarySortKey.sortKey(file.name)) AND name = \(file.name)
                AND missing_since IS NULL AND entries_state = 'read'
                AND NOT (source = \(source.number) AND account_id IN (
                    SELECT id FROM library_accounts
                    WHERE library_id = \(library) AND source = \(source.number) AND account = \(accountOfFiles)))
            ORDER BY id LIMIT \(mostNamesakes)
            """, LibraryPlaylist.init)
        return try namesakes.first { try hasEntries($0, of: file, from: source, library: library) }?.id.key
    }

    private func playlistKey(
        of sourceID: String, at source: MusicSource, library: Int64, isPresent: Bool
    ) throws -> Int64? {
        let condition: SQL = isPresent ? "AND missing_since IS NULL" : ""
        return try transaction.row(
            """
            SELECT id FROM library_playlists
            WHERE library_id = \(library) AND source = \(source.number) AND source_id = \(sourceID) \(condition)
            """)?["id"]
    }

    /// Whether a playlist has the same entries as a file's playlist, in the same order.
    private func hasEntries(
        _ list: LibraryPlaylist, of file: FilePlaylist, from source: MusicSource, library: Int64
    ) throws -> Bool {
        var (count, position) = (0, -1)
        while true {
            let rows = try transaction.map(
                """
                SELECT entries.position AS position, entries.title AS title, parts.track_id AS track_id
                \(list.entries(after: position, library: library, limit: comparedEntries))
                """
            ) { row in
                (
                    position: try row["position"] as Int, title: try row["title"] as String?,
                    track: try row["track_id"] as Int64?
                )
            }
            guard let last = rows.last else { return count == file.entries.count }
            let part = file.entries.dropFirst(count).prefix(rows.count)
            guard part.count == rows.count else { return false }
            let tracks = try trackIDs(of: part.compactMap(\.key), at: source, library: library)
            for (entry, row) in zip(part, rows) {
                let track = entry.key.flatMap { tracks[$0] }
                guard track == row.track, track != nil || entry.title == row.title else { return false }
            }
            (count, position) = (count + rows.count, last.position)
        }
    }

    /// The tracks that source tracks belong to, by the source tracks' ids.
    private func trackIDs(of sourceIDs: [String], at source: MusicSource, library: Int64) throws -> [String: Int64] {
        var found: [String: Int64] = [:]
        for part in Array(Set(sourceIDs)).inParts {
            try transaction.forEachRow(
                """
                SELECT source_id, track_id FROM library_source_tracks
                WHERE library_id = \(library) AND source = \(source.number) AND source_id IN (\(list: part))
                """
            ) { row in
                found[try row["source_id"]] = try row["track_id"] as Int64
                return .continue
            }
        }
        return found
    }
}

extension FilePlaylist {
    /// The service, and the id at the service, that a key contains: the inverse of `LibraryPlaylist.file`.
    fileprivate var address: (MusicSource, String)? {
        for source in MusicSource.services {
            let beginning = "\(source.rawValue):playlist:"
            if key.hasPrefix(beginning) { return (source, String(key.dropFirst(beginning.count))) }
        }
        return nil
    }
}
