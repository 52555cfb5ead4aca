import Model
import Storage

/// Selects the songs of a library that a list may be made from.
package struct CandidateQuery: Sendable, Hashable {
    /// Texts that may be the names of artists.
    package var artists: [String] = []
    /// Folded words of genre names.
    package var genreWords: [String] = []
    package var years: [ClosedRange<Int>] = []
    /// Determines which songs are sampled to represent the whole library.
    package var seed: Int

    package init(seed: Int) { self.seed = seed }
}

extension LibraryStore where Access == ReadTransaction {
    /// The maximum number of songs for each criterion.
    private static var part: Int { 300 }
    /// The number of songs that represent the library.
    private static var sample: Int { 500 }
    /// The number of songs that are searched for genres and years.
    private static var searched: Int { 6_000 }

    /// Songs that a list may be made from, without repetition: those of the requested genres, years and artists, the
    /// most played ones, the latest ones, and a sample of the rest. So the cost does not grow with the library, except
    /// for a walk along an index.
    package func candidates(_ query: CandidateQuery, userID: String) throws -> [LibraryTrack] {
        guard let library = try libraryID(ofUser: userID) else { return [] }
        let summary = try summary(userID: userID)
        // Remainders of the keys divide the library into equal parts, each spread over all of it.
        let step = Int64(max(1, summary.tracks / Self.searched))
        let rest = Int64(UInt64(bitPattern: Int64(query.seed)) % UInt64(step))
        let spread = try keys(
            """
            SELECT id FROM library_tracks
            WHERE library_id = \(library) AND (id % 1000003) % \(step) = \(rest) LIMIT \(Self.searched * 2)
            """)
        var ids = try trackIDs(ofArtists: query.artists, library: library)
        ids += try trackIDs(among: spread, query, library: library)
        for order: SQL in ["total_plays DESC, id DESC", "added_at DESC, id DESC"] {
            ids += try keys(
                """
                SELECT id FROM library_tracks WHERE library_id = \(library) ORDER BY \(order) LIMIT \(Self.part)
                """)
        }
        ids += stride(from: 0, to: spread.count, by: max(1, spread.count / Self.sample)).map { spread[$0] }
        var seen: Set<Int64> = []
        return try tracks(ids: ids.filter { seen.insert($0).inserted }, library: library)
            .filter { $0.missingSince == nil }
    }

    /// How many songs each artist has in a library, by the given names. Names must match the songs' artist texts.
    package func songCounts(ofArtists names: Set<String>, userID: String) throws -> [String: Int] {
        guard let library = try libraryID(ofUser: userID) else { return [:] }
        let byKey = Dictionary(names.map { (LibrarySortKey.sortKey($0), $0) }) { min($0, $1) }
        var counts: [String: Int] = [:]
        for part in byKey.keys.sorted().inParts {
            try transaction.forEachRow(
                """
                SELECT artist_key, COUNT(*) AS songs FROM library_tracks
                WHERE library_id = \(library) AND artist_key IN (\(list: Array(part))) GROUP BY artist_key
                """
            ) { row in
                if let name = byKey[try row["artist_key"]] { counts[name] = try row["songs"] }
                return .goOn
            }
        }
        return counts
    }

    /// The songs of a playlist that are in the library, in its order, without repetition.
    package func songs(ofPlaylist playlist: LibraryPlaylist, userID: String, limit: Int) throws -> [LibraryTrack] {
        guard let library = try libraryID(ofUser: userID) else { return [] }
        let found = try keys(
            """
            SELECT s.track_id FROM library_playlist_entries e
            JOIN library_source_tracks s ON s.id = e.source_track_id
            WHERE e.playlist_id = \(playlist.id.key) AND e.version = \(playlist.entriesVersion)
                AND s.library_id = \(library)
            ORDER BY e.position LIMIT \(limit)
            """)
        var seen: Set<Int64> = []
        return try tracks(ids: found.filter { seen.insert($0).inserted }, library: library)
    }

    /// Songs that share playlists with the given songs.
    ///
    /// - Parameter tracks: at most 250 tracks.
    package func playlistNeighbours(
        ofTracks tracks: [LibraryID], userID: String, limit: Int
    ) throws -> [LibraryID: SongNeighbour] {
        guard let library = try libraryID(ofUser: userID), !tracks.isEmpty else { return [:] }
        let parts = try parts(ofTracks: tracks.map(\.key), library: library).values.joined().map(\.id)
        var shared: [Int64: Int] = [:]
        for part in parts.inParts {
            try transaction.forEachRow(
                """
                SELECT p.id AS id, COUNT(*) AS songs FROM library_playlist_entries e
                JOIN library_playlists p ON p.id = e.playlist_id AND p.entries_version = e.version
                WHERE +p.library_id = \(library) AND e.source_track_id IN (\(list: Array(part))) GROUP BY p.id
                """
            ) { row in
                shared[try row["id"], default: 0] += try row["songs"]
                return .goOn
            }
        }
        let first = shared.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(100)
        let lists = try first.map { playlist in
            try keys(
                """
                SELECT DISTINCT s.track_id FROM library_playlists p
                JOIN library_playlist_entries e ON e.playlist_id = p.id AND e.version = p.entries_version
                JOIN library_source_tracks s ON s.id = e.source_track_id
                WHERE p.id = \(playlist.key) AND e.position < 500
                """)
        }
        return SongNeighbour.neighbours(of: tracks, in: lists, limit: limit)
    }

    /// The tracks with these ids, or the tracks that they were merged into, by the requested ids.
    package func presentTracks(_ ids: [LibraryID], userID: String) throws -> [LibraryID: LibraryTrack] {
        guard let library = try libraryID(ofUser: userID) else { return [:] }
        let survivors = try survivors(of: ids.map(\.key), library: library)
        let found = try tracks(ids: Array(Set(survivors.values)), library: library)
        let byKey = Dictionary(uniqueKeysWithValues: found.map { ($0.id.key, $0) })
        return survivors.reduce(into: [:]) { $0[LibraryID(key: $1.key)] = byKey[$1.value] }
    }

    /// The ids of all songs in a playlist.
    package func songIDs(ofPlaylist playlist: LibraryPlaylist, userID: String) throws -> Set<LibraryID> {
        guard let library = try libraryID(ofUser: userID) else { return [] }
        return Set(
            try keys(
                """
                SELECT DISTINCT s.track_id FROM library_playlist_entries e
                JOIN library_source_tracks s ON s.id = e.source_track_id
                WHERE e.playlist_id = \(playlist.id.key) AND e.version = \(playlist.entriesVersion)
                    AND s.library_id = \(library)
                """
            ).map { LibraryID(key: $0) })
    }

    /// References to songs, extended by the library's own ids for them: the id of a song in a service's catalog, and
    /// that of a track that was merged away, may both refer to a track of the library.
    package func names(of references: [String], userID: String) throws -> Set<String> {
        let songs = references.compactMap { EditTrackReference($0) }
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
        guard let library = try libraryID(ofUser: userID) else { return nil }
        let key: Int64? =
            try sourceTracks([id], of: source, library: library)[id]?.trackID
            ?? transaction.row(
                """
                SELECT track_id FROM library_source_tracks
                WHERE library_id = \(library) AND source = \(source.number) AND catalog_id = \(id) LIMIT 1
                """)?["track_id"]
        return key.map { LibraryID(key: $0) }
    }

    // MARK: Parts

    /// The plus sign keeps SQLite from searching the whole library for the artists in the order of the sort column.
    private func trackIDs(ofArtists names: [String], library: Int64) throws -> [Int64] {
        let keys = Set(names.map { LibrarySortKey.sortKey($0) }).subtracting([""])
        return try keys.sorted().inParts.flatMap { part in
            try self.keys(
                """
                SELECT id FROM library_tracks WHERE library_id = \(library) AND artist_key IN (\(list: Array(part)))
                ORDER BY +total_plays DESC, id LIMIT \(Self.part)
                """)
        }
    }

    /// The tracks among the given ones that match both the requested genres and years, or if these are few, either of
    /// them.
    private func trackIDs(among ids: [Int64], _ query: CandidateQuery, library: Int64) throws -> [Int64] {
        guard !query.genreWords.isEmpty || !query.years.isEmpty else { return [] }
        let words = Set(query.genreWords)
        var isAsked: [String: Bool] = [:]
        var (both, either): ([Int64], [Int64]) = ([], [])
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT id, genres, release_date FROM library_tracks
                WHERE id IN (\(list: Array(part))) AND +library_id = \(library)
                """
            ) { row in
                let (genres, date): (String?, String?) = (try row["genres"], try row["release_date"])
                let isOfGenre = genres.map { text in
                    if let known = isAsked[text] { return known }
                    let found = !words.isDisjoint(with: FoldedText.words(of: text))
                    isAsked[text] = found
                    return found
                }
                let isOfYears = date.flatMap { Int($0.prefix(4)) }.map { year in
                    query.years.contains { $0.contains(year) }
                }
                let (genre, year) = (isOfGenre ?? false, isOfYears ?? false)
                if genre && (year || query.years.isEmpty) || year && words.isEmpty {
                    both.append(try row["id"])
                } else if genre || year {
                    either.append(try row["id"])
                }
                return .goOn
            }
        }
        return Array((both.count < 50 ? both + either : both).prefix(Self.sample))
    }

    private func keys(_ sql: SQL) throws -> [Int64] {
        var found: [Int64] = []
        try transaction.forEachInteger(sql) { id in
            found.append(id)
            return .goOn
        }
        return found
    }
}
