import Storage

extension TrackStore {
    /// The genres of tracks, by key. Tracks without genres are left out.
    package func genres(ofTracks ids: [Int64], userID: String) throws -> [Int64: [String]] {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return [:] }
        var found: [Int64: [String]] = [:]
        for part in ids.inParts {
            try transaction.forEachRow(
                """
                SELECT track_id, genres FROM library_source_tracks
                WHERE library_id = \(library) AND track_id IN (\(list: part)) AND genres IS NOT NULL ORDER BY id
                """
            ) { row in
                let track: Int64 = try row["track_id"]
                for genre in GenreList.genres(in: try row["genres"]) where found[track]?.contains(genre) != true {
                    found[track, default: []].append(genre)
                }
                return .continue
            }
        }
        return found
    }
}
