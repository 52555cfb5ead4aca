import Model
import Storage

extension CurationStore {
    /// Lists of other people that name a person, as items of an erasure.
    func lists(naming userID: String, limit: Int) throws -> [ErasureStep.Item] {
        try transaction.map(
            "SELECT user_id, id FROM curated_lists WHERE partner_id = \(userID) ORDER BY user_id, id LIMIT \(limit)"
        ) { row in
            // A list has at most 100 songs, which are read and written.
            ErasureStep.Item("\(try row["user_id"] as String)/\(try row["id"] as String)", bytes: 50_000)
        }
    }
}

extension CurationStore where Access == WriteTransaction {
    /// Removes an erased person from the lists of others: a blend keeps its songs, but no longer says with whom it was
    /// made. A blend that is not made yet fails.
    ///
    /// - Parameter items: the items that ``lists(naming:limit:)`` returned.
    func forgetPartner(inLists items: [String]) throws {
        for item in items {
            guard let slash = item.firstIndex(of: "/") else { continue }
            let (userID, id) = (String(item[..<slash]), String(item[item.index(after: slash)...]))
            guard let list = try list(id, userID: userID) else { continue }
            var request = list.request
            request.with = nil
            try transaction.run(
                """
                UPDATE curated_lists SET request = \(try JSONColumn.encode(request)),
                    title = \(PromptText.title(of: request)), partner_id = NULL, cache_key = NULL,
                    change = \(try transaction.nextChange())
                WHERE user_id = \(userID) AND id = \(id)
                """)
            let tracks = try transaction.map(
                "SELECT position, track FROM curated_tracks WHERE user_id = \(userID) AND list_id = \(id)"
            ) { row -> (position: Int, track: CuratedTrack) in
                (try row["position"], try JSONColumn.decode(try row["track"], column: "track"))
            }
            for (position, track) in tracks {
                try transaction.run(
                    """
                    UPDATE curated_tracks SET track = \(try JSONColumn.encode(track.withoutPartner))
                    WHERE user_id = \(userID) AND list_id = \(id) AND position = \(position)
                    """)
            }
            try fail(id, userID: userID, .partnerGone, now: .now())
            transaction.recordChange(of: [userID], topic: .curatedLists)
        }
    }
}

extension CuratedTrack {
    /// The song without the other person's name in its reasons.
    fileprivate var withoutPartner: CuratedTrack {
        var track = self
        track.evidence = evidence.map { fact in
            switch fact.kind {
            case .sharedSong: SongEvidence(.sharedSong, "You both have it.")
            case .partnerHas: SongEvidence(.partnerHas, "The other person has it.")
            default: fact
            }
        }
        if track.evidence != evidence { track.reason = track.evidence.map(\.text).joined(separator: " ") }
        return track
    }
}
