import Model
import Storage

extension CurationStore {
    /// Lists of other people that refer to a person, as items of an erasure; those of one of them the latest first, as a
    /// block separates them.
    func lists(naming userID: String, limit: Int) throws -> [ErasureStep.Item] {
        try items(
            "SELECT user_id, id FROM curated_lists WHERE partner_id = \(userID) ORDER BY user_id, id DESC",
            limit: limit)
    }

    /// Blends from before names were looked up, which contain the name of the other person.
    package func blendsWithNames(limit: Int) throws -> [ErasureStep.Item] {
        try items(
            "SELECT user_id, id FROM curated_lists WHERE kind = 'blend' AND title <> '' ORDER BY user_id, id",
            limit: limit)
    }

    private func items(_ query: SQL, limit: Int) throws -> [ErasureStep.Item] {
        try transaction.map(query + " LIMIT \(limit)") { row in
            // A list has at most 100 songs, which are read and written.
            ErasureStep.Item("\(try row["user_id"] as String)/\(try row["id"] as String)", bytes: 50_000)
        }
    }

    /// The list that an item of an erasure names; `nil` if it was deleted meanwhile.
    private func list(ofItem item: String) throws -> CuratedList? {
        guard let slash = item.firstIndex(of: "/") else { return nil }
        return try list(String(item[item.index(after: slash)...]), userID: String(item[..<slash]))
    }
}

extension CurationStore where Access == WriteTransaction {
    /// Removes an erased person from the lists of others, as a block does (``separate(_:now:)``).
    ///
    /// - Parameter items: the items that ``lists(naming:limit:)`` returned.
    func forgetPartner(inLists items: [String]) throws {
        for item in items {
            guard let list = try list(ofItem: item) else { continue }
            try removeNames(fromList: item)
            try separate(list, now: .now())
        }
    }

    /// Deletes the rows of an erased person and another about each other.
    func erase(_ partnerID: String, and userID: String) throws {
        try transaction.run(
            "DELETE FROM blend_partners WHERE user_id = \(userID) AND partner_id = \(partnerID)")
        try forgetPartner(userID, of: partnerID)
    }

    /// Removes the other person's name from a blend from before names were looked up.
    ///
    /// - Parameter item: an item of ``blendsWithNames(limit:)``.
    package func removeNames(fromList item: String) throws {
        guard let list = try list(ofItem: item), list.request.kind == .blend, !list.title.isEmpty else { return }
        try transaction.run(
            """
            UPDATE curated_lists SET request = \(try JSONColumn.encode(list.request)), title = '',
                error_message = \(list.error?.message)
            WHERE user_id = \(list.userID) AND id = \(list.id)
            """)
        let tracks = try transaction.map(
            "SELECT position, track FROM curated_tracks WHERE user_id = \(list.userID) AND list_id = \(list.id)"
        ) { row -> (position: Int, track: CuratedTrack) in
            (try row["position"], try JSONColumn.decode(try row["track"], column: "track"))
        }
        for (position, track) in tracks where track.naming(nil) != track {
            try transaction.run(
                """
                UPDATE curated_tracks SET track = \(try JSONColumn.encode(track.naming(nil)))
                WHERE user_id = \(list.userID) AND list_id = \(list.id) AND position = \(position)
                """)
        }
    }
}

extension ErasureStep {
    /// Rows about an erased person and those whom they blocked, or who blocked them.
    static let formerBlendPartners = ErasureStep { reader, userID, limit in
        try reader.map(
            """
            SELECT partner_id AS id FROM former_blend_partners WHERE user_id = \(userID)
            UNION SELECT user_id FROM former_blend_partners WHERE partner_id = \(userID) LIMIT \(limit)
            """
        ) { Item(try $0["id"]) }
    } erase: { transaction, userID, partners in
        for partner in partners {
            try transaction.run(
                """
                DELETE FROM former_blend_partners
                WHERE user_id = \(userID) AND partner_id = \(partner) OR user_id = \(partner) AND partner_id = \(userID)
                """)
        }
    }
}
