import Identity
import Storage

extension LinkedSourceTracks {
    /// The rows that one reading has: some 10 ms.
    private static let batch = 5_000

    /// Reads what links the source tracks of a library, in short readings.
    init(ofLibrary library: Int64, in database: Database) async throws {
        self.init()
        let decisions = try await database.read { try $0.library.identity(ofLibrary: library).decisions.together }
        let decided = Set(decisions.flatMap { [$0.first, $0.second] })
        var decidedIDs: [Listing: Int64] = [:]
        var tracks: [Link] = []
        var isrcs: [Link] = []
        var listing: Listing?
        repeat {
            try Task.checkCancellation()
            let rows = try await database.read { [listing] in
                try $0.library.sourceTrackLinks(inLibrary: library, after: listing, limit: Self.batch)
            }
            for row in rows {
                tracks.append(Link(value: row.trackID, sourceTrack: row.id))
                if let isrc = row.isrc { isrcs.append(Link(value: Int64(isrc.hashValue), sourceTrack: row.id)) }
                if decided.contains(row.listing) { decidedIDs[row.listing] = row.id }
            }
            listing = rows.last?.listing
        } while listing != nil
        var keys: [Link] = []
        var key: Link?
        repeat {
            try Task.checkCancellation()
            let rows = try await database.read { [key] in
                try $0.library.keyLinks(inLibrary: library, after: key, limit: Self.batch)
            }
            keys += rows
            key = rows.last
        } while key != nil
        let pairs = decisions.enumerated().flatMap { number, pair in
            [pair.first, pair.second].compactMap { decidedIDs[$0] }
                .map { Link(value: Int64(number), sourceTrack: $0) }
        }
        for links in [tracks, isrcs, keys, pairs] { add(links) }
        close()
    }
}
