import Identity
import Model
import Storage

extension TrackIdentityStore {
    /// The decisions of a library's user, earliest first.
    package func allDecisions(ofLibrary library: Int64) throws -> [TrackDecision] {
        try decisions("library_id = \(library) ORDER BY id", ofLibrary: library)
    }

    /// - Parameter selection: a condition on the decisions, with their order.
    private func decisions(_ selection: SQL, ofLibrary library: Int64) throws -> [TrackDecision] {
        var decisions = try transaction.map(
            "SELECT id, kind, holds_sides, split_track_id, at FROM library_decisions WHERE \(selection)"
        ) { row in
            let kind: String = try row["kind"]
            return TrackDecision(
                id: LibraryID(key: try row["id"]), kind: TrackDecision.Kind(rawValue: kind) ?? .split,
                at: try row["at"], sides: [], splitTrack: try row["split_track_id"],
                holdsSides: try row["holds_sides"])
        }
        guard !decisions.isEmpty else { return [] }
        let places = Dictionary(uniqueKeysWithValues: decisions.indices.map { (decisions[$0].id.key, $0) })
        for part in decisions.map(\.id.key).inParts {
            try transaction.forEachRow(
                """
                SELECT decision_id, source, source_id, side FROM library_decision_tracks
                WHERE library_id = \(library) AND decision_id IN (\(list: part))
                ORDER BY decision_id, side, source, source_id
                """
            ) { row in
                let (id, side): (Int64, Int) = (try row["decision_id"], try row["side"])
                guard let place = places[id] else { return .continue }
                while decisions[place].sides.count <= side { decisions[place].sides.append([]) }
                decisions[place].sides[side].append(Listing(source: try row["source"], id: try row["source_id"]))
                return .continue
            }
        }
        return decisions
    }

    /// A page of a user's decisions, latest first.
    package func decisions(
        userID: String, start: ListStart<Cursor<Int>>, limit: Int
    ) throws -> LibraryPage<TrackDecision> {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return .empty }
        let list = LibraryLists.decisions
        let (following, offset) = list.beginning(of: start)
        let total: Int =
            try transaction.row("SELECT COUNT(*) AS count FROM library_decisions WHERE library_id = \(library)")?[
                "count"] ?? 0
        let found = try decisions(
            "library_id = \(library)\(following) ORDER BY \(list.order) LIMIT \(limit + 1) OFFSET \(offset)",
            ofLibrary: library)
        let last = found.count > limit ? found[limit - 1] : nil
        return LibraryPage(
            items: Array(found.prefix(limit)), total: total, nextCursor: last.map { list.text(of: Int($0.id.key)) })
    }
}
