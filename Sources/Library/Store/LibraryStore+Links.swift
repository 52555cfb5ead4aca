import Identity
import Model
import Storage

/// What links a source track with others, besides its identity keys.
struct SourceTrackLinks: Sendable {
    let id: Int64
    let trackID: Int64
    let listing: Listing
    let isrc: String?
}

extension LibraryStore {
    /// The next source tracks of a library in the order of their listings.
    ///
    /// - Parameter listing: of the last one before; `nil` for the first ones.
    func sourceTrackLinks(inLibrary library: Int64, after listing: Listing?, limit: Int) throws -> [SourceTrackLinks] {
        try transaction.map(
            """
            SELECT id, track_id, source, source_id, isrc FROM library_source_tracks
            WHERE library_id = \(library) AND (source, source_id) > (\(listing?.source ?? 0), \(listing?.id ?? ""))
            ORDER BY source, source_id LIMIT \(limit)
            """
        ) { row in
            SourceTrackLinks(
                id: try row["id"], trackID: try row["track_id"],
                listing: Listing(source: try row["source"], id: try row["source_id"]), isrc: try row["isrc"])
        }
    }

    /// The next identity keys of a library, in ascending order.
    ///
    /// - Parameter link: the last one before; `nil` for the first ones.
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

    /// Source tracks with what the rules compare, and without the rest.
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
