import Identity
import Storage

extension LinkedSourceTracks {
    /// The rows that one reading has: some 10 ms.
    private static let batch = 5_000

    /// Reads what links the source tracks of a library, in short readings.
    init(ofLibrary library: Int64, in database: Database) async throws {
        let decisions = try await database.read { try $0.library.identity(ofLibrary: library).decisions.together }
        let decided = Set(decisions.flatMap { [$0.first, $0.second] })
        var decidedIDs: [Listing: Int64] = [:]
        var tracks: [Link] = []
        var isrcs: [Link] = []
        try await Self.forEachPage { listing in
            try await database.read {
                try $0.library.sourceTrackLinks(inLibrary: library, after: listing, limit: Self.batch)
            }
        } _: { rows in
            for row in rows {
                tracks.append(Link(value: row.trackID, sourceTrack: row.id))
                if let isrc = row.isrc { isrcs.append(Link(value: Int64(isrc.hashValue), sourceTrack: row.id)) }
                if decided.contains(row.listing) { decidedIDs[row.listing] = row.id }
            }
            return rows.last?.listing
        }
        var keys: [Link] = []
        try await Self.forEachPage { key in
            try await database.read { try $0.library.keyLinks(inLibrary: library, after: key, limit: Self.batch) }
        } _: { links in
            keys += links
            return links.last
        }
        let pairs = decisions.enumerated().flatMap { number, pair in
            [pair.first, pair.second].compactMap { decidedIDs[$0] }
                .map { Link(value: Int64(number), sourceTrack: $0) }
        }
        self.init([tracks, isrcs, keys, pairs])
    }

    /// Reads pages until one is empty.
    ///
    /// - Parameter take: takes a page, and returns the place after which the next one begins; `nil` for an empty page.
    private static func forEachPage<Place: Sendable, Item: Sendable>(
        _ read: (Place?) async throws -> [Item], _ take: ([Item]) -> Place?
    ) async throws {
        var place: Place?
        repeat {
            try Task.checkCancellation()
            place = take(try await read(place))
        } while place != nil
    }
}
