import Identity
import Library
import Model
import Storage

/// The values that link a source track with others, in addition to its identity keys and decisions.
struct SourceTrackLinks: Sendable {
    let id: Int64
    let trackID: Int64
    let isrc: String?
    /// Whether its title says that it is a remaster; `false` if this was not requested.
    let isRemaster: Bool
}

extension TrackIdentityStore {
    /// The links of some of a library's source tracks.
    ///
    /// - Parameter ids: the source tracks, in ascending order. Those that no longer exist are left out.
    func sourceTrackLinks(
        ofSourceTracks ids: ArraySlice<Int64>, library: Int64, findsRemasters: Bool
    ) throws -> [SourceTrackLinks] {
        try Array(ids).inParts.flatMap { part in
            try transaction.map(
                """
                SELECT id, track_id, isrc, title FROM library_source_tracks
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """
            ) { row in
                SourceTrackLinks(
                    id: try row["id"], trackID: try row["track_id"], isrc: try row["isrc"],
                    isRemaster: findsRemasters ? IdentityRules.isRemaster(try row["title"]) : false)
            }
        }
    }

    /// Links between the source tracks that the user's decisions hold together. The value is the decision's number.
    func decisionLinks(inLibrary library: Int64) throws -> [LinkedSourceTracks.Link] {
        let pairs = try decisions(ofLibrary: library).together
        let listings = Set(pairs.flatMap { [$0.first, $0.second] })
        var ids: [Listing: Int64] = [:]
        for source in MusicSource.allCases {
            for part in listings.filter({ $0.source == source.number }).map(\.id).inParts {
                try transaction.forEachRow(
                    """
                    SELECT id, source_id FROM library_source_tracks
                    WHERE library_id = \(library) AND source = \(source.number) AND source_id IN (\(list: part))
                    """
                ) { row in
                    ids[Listing(source: source, id: try row["source_id"])] = try row["id"] as Int64
                    return .continue
                }
            }
        }
        return pairs.enumerated().flatMap { number, pair in
            [pair.first, pair.second].compactMap { ids[$0] }
                .map { LinkedSourceTracks.Link(value: Int64(number), sourceTrack: $0) }
        }
    }

    /// A library's next identity keys, in ascending order.
    ///
    /// - Parameter link: the last link of the previous call; `nil` for the first call.
    func keyLinks(
        inLibrary library: Int64, after link: LinkedSourceTracks.Link?, limit: Int
    ) throws -> [LinkedSourceTracks.Link] {
        let (key, sourceTrack) = (link?.value ?? .min, link?.sourceTrack ?? .min)
        return try transaction.map(
            """
            SELECT identity_key, source_track_id FROM library_identity_keys
            WHERE library_id = \(library) AND (identity_key, source_track_id) > (\(key), \(sourceTrack))
            ORDER BY identity_key, source_track_id LIMIT \(limit)
            """
        ) { LinkedSourceTracks.Link(value: try $0["identity_key"], sourceTrack: try $0["source_track_id"]) }
    }

    /// Source tracks with only the values that the identity rules compare.
    func comparedSourceTracks(ids: [Int64], library: Int64) throws -> [SourceTrackRow] {
        try ids.inParts.flatMap { part in
            try transaction.map(
                """
                SELECT \(SourceTrackRow.comparedColumns) FROM library_source_tracks
                WHERE +library_id = \(library) AND id IN (\(list: part))
                """, SourceTrackRow.compared)
        }
    }
}
