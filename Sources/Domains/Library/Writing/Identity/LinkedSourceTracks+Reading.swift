import Identity
import Library
import Storage

extension LinkedSourceTracks {
    /// Which groups to include.
    enum Selection {
        case all
        /// Only groups that contain both remasters and other versions: they are all that can change when a user sets
        /// whether a remaster is the same song, since the rule only concerns pairs with exactly one remaster.
        case withRemasters
    }

    /// The number of rows per read transaction, which takes about 10 ms.
    private static let batch = 5_000

    /// Reads the links between a library's source tracks, in short read transactions.
    ///
    /// The keys are read first and provide the ids of the source tracks. Their rows are then read in table order, in
    /// which neighboring rows share a page of the database.
    init(_ selection: Selection, ofLibrary library: Int64, in database: Database) async throws {
        var keys: [Link] = []
        var after: Link?
        repeat {
            try Task.checkCancellation()
            let links = try await database.read { [after] in
                try $0.trackIdentity.keyLinks(inLibrary: library, after: after, limit: Self.batch)
            }
            keys += links
            after = links.last
        } while after != nil
        var ids = keys.map(\.sourceTrack)
        ids.sort()
        ids.removeRepeats()

        var (tracks, isrcs): ([Link], [Link]) = ([], [])
        tracks.reserveCapacity(ids.count)
        isrcs.reserveCapacity(ids.count)
        var remasters: Set<Int64> = []
        for start in stride(from: 0, to: ids.count, by: Self.batch) {
            try Task.checkCancellation()
            let part = ids[start..<min(start + Self.batch, ids.count)]
            let rows = try await database.read { reader in
                try reader.trackIdentity.sourceTrackLinks(
                    ofSourceTracks: part, library: library, findsRemasters: selection == .withRemasters)
            }
            for row in rows {
                tracks.append(Link(value: row.trackID, sourceTrack: row.id))
                if let isrc = row.isrc { isrcs.append(Link(value: Int64(isrc.hashValue), sourceTrack: row.id)) }
                if row.isRemaster { remasters.insert(row.id) }
            }
        }
        let decisions = try await database.read { try $0.trackIdentity.decisionLinks(inLibrary: library) }
        switch selection {
        case .all: self.init(ids, [decisions, isrcs, tracks, keys])
        case .withRemasters:
            self.init(ids, [decisions, isrcs, tracks, keys]) { group in
                let count = group.count { remasters.contains($0) }
                return count > 0 && count < group.count
            }
        }
    }
}

extension [Int64] {
    /// Removes all but the first element of each run of equal elements.
    fileprivate mutating func removeRepeats() {
        var kept = 0
        for element in self where kept == 0 || self[kept - 1] != element {
            self[kept] = element
            kept += 1
        }
        removeLast(count - kept)
    }
}
