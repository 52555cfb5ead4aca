import Model
import Storage

extension TrackStore where Access == ReadTransaction {
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
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [] }
        let summary = try transaction.library.summary(userID: userID)
        // Remainders of the keys divide the library into equal parts, each spread over all of it.
        let step = Int64(max(1, summary.tracks / Self.searched))
        let rest = Int64(UInt64(bitPattern: Int64(query.seed)) % UInt64(step))
        let spread = try transaction.keys(
            """
            SELECT id FROM library_tracks
            WHERE library_id = \(library) AND (id % 1000003) % \(step) = \(rest) LIMIT \(Self.searched * 2)
            """)
        var ids = try trackIDs(ofArtists: query.artists, library: library)
        ids += try trackIDs(among: spread, query, library: library)
        for order: SQL in ["total_plays DESC, id DESC", "added_at DESC, id DESC"] {
            ids += try transaction.keys(
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
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [:] }
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
                return .continue
            }
        }
        return counts
    }

    // MARK: Parts

    /// The plus sign keeps SQLite from searching the whole library for the artists in the order of the sort column.
    private func trackIDs(ofArtists names: [String], library: Int64) throws -> [Int64] {
        let keys = Set(names.map { LibrarySortKey.sortKey($0) }).subtracting([""])
        return try keys.sorted().inParts.flatMap { part in
            try transaction.keys(
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
                return .continue
            }
        }
        return Array((both.count < 50 ? both + either : both).prefix(Self.sample))
    }
}
