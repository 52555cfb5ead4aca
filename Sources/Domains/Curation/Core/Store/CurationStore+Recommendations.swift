import Identity
import Model
import Storage
import Timeline
import Visibility

/// A song of a person's recommendations, as an item of the person's feed.
package struct RecommendedSong: Sendable, Hashable {
    /// The item's number in the timeline.
    package let number: Int64
    package let listID: String
    package let listTitle: String
    /// Its place in the list when that was made.
    package let position: Int
    package let track: CuratedTrack

    /// Under which the feed shows it.
    package var id: String { Self.id(listID: listID, position: position) }

    fileprivate static func id(listID: String, position: Int) -> String { "\(listID)-\(position)" }

    /// The parts of an id; `nil` for any other text.
    fileprivate static func parts(ofID id: String) -> (listID: String, position: Int)? {
        guard let hyphen = id.lastIndex(of: "-"),
            let position = Int(decimal: id[id.index(after: hyphen)...], in: 0...1_000_000)
        else { return nil }
        return (String(id[..<hyphen]), position)
    }
}

/// A row of `recommended_songs`.
private struct RecommendationRow {
    let number: Int64
    let listID: String
    let position: Int
    let madeAt: Timestamp

    init(row: Row) throws {
        number = try row["number"]
        listID = try row["list_id"]
        position = try row["position"]
        madeAt = try row["made_at"]
    }

    var id: String { RecommendedSong.id(listID: listID, position: position) }
}

extension CurationStore {
    /// The numbers of songs of a person's recommendations, by their ids. Unknown ids are left out.
    package func numbers(ofRecommendedSongs ids: [String], userID: String) throws -> [String: Int64] {
        try ids.reduce(into: [:]) { numbers, id in
            guard let (listID, position) = RecommendedSong.parts(ofID: id) else { return }
            let row = try transaction.row(
                """
                SELECT number FROM recommended_songs
                WHERE user_id = \(userID) AND list_id = \(listID) AND position = \(position)
                ORDER BY number DESC LIMIT 1
                """)
            if let row { numbers[id] = try row["number"] as Int64 }
        }
    }

    /// Songs of a person's recommendations, without those that the person has dismissed or removed.
    package func recommendedSongs(_ numbers: some Sequence<Int64>, userID: String) throws -> [RecommendedSong] {
        let songs = try transaction.map(
            """
            SELECT recommended_songs.number AS number, recommended_songs.list_id AS list_id,
                recommended_songs.position AS position, curated_lists.title AS title, curated_tracks.track AS track
            FROM recommended_songs CROSS JOIN curated_tracks CROSS JOIN curated_lists
            WHERE recommended_songs.user_id = \(userID) AND recommended_songs.number IN (\(list: Set(numbers)))
                AND recommended_songs.dismissed_as IS NULL
                AND curated_tracks.user_id = \(userID) AND curated_tracks.list_id = recommended_songs.list_id
                AND curated_tracks.position = recommended_songs.position
                AND curated_lists.user_id = \(userID) AND curated_lists.id = recommended_songs.list_id
            """
        ) { row in
            RecommendedSong(
                number: try row["number"], listID: try row["list_id"], listTitle: try row["title"],
                position: try row["position"],
                track: try JSONColumn.decode(try row["track"], column: "track"))
        }
        // One that was dismissed while the list was being made.
        let dismissed = Set(
            try transaction.map(
                """
                SELECT reference FROM curation_dismissals
                WHERE user_id = \(userID) AND reference IN (\(list: Set(songs.map(\.track.reference))))
                """
            ) { try $0["reference"] as String })
        return songs.filter { !dismissed.contains($0.track.reference) }
    }

    /// The recommendations of a song that is to be dismissed, also those under other names of the song. A year has
    /// thousands, each of which is decoded: they are found before the transaction that hides them.
    package func recommendations(of dismissal: Dismissal, userID: String) throws -> DismissedRecommendations {
        try recommendations(of: dismissal, after: 0, userID: userID)
    }

    /// - Parameter number: the recommendations with greater numbers are compared.
    fileprivate func recommendations(
        of dismissal: Dismissal, after number: Int64, userID: String
    ) throws -> DismissedRecommendations {
        let rules = IdentityRules()
        let song = dismissal.song.map { SongIndex([$0]) }
        var found = DismissedRecommendations(numbers: [], last: number)
        try transaction.forEachRow(
            """
            SELECT recommended_songs.number AS number, curated_tracks.track AS track
            FROM recommended_songs CROSS JOIN curated_tracks
            WHERE recommended_songs.user_id = \(userID) AND recommended_songs.number > \(number)
                AND recommended_songs.dismissed_as IS NULL
                AND curated_tracks.user_id = \(userID) AND curated_tracks.list_id = recommended_songs.list_id
                AND curated_tracks.position = recommended_songs.position
            ORDER BY recommended_songs.number
            """
        ) { row in
            let track: CuratedTrack = try JSONColumn.decode(try row["track"], column: "track")
            found.last = try row["number"]
            if track.reference == dismissal.reference
                || song?.contains(IdentityProfile(track.record), by: rules) ?? false
            {
                found.numbers.append(found.last)
            }
            return .continue
        }
        return found
    }
}

/// The recommendations that a dismissal hides.
package struct DismissedRecommendations: Sendable, Equatable {
    fileprivate var numbers: [Int64]
    /// The number of the last recommendation that was compared. Later ones have greater numbers.
    fileprivate var last: Int64
}

extension CurationStore where Access == WriteTransaction {
    /// Adds the songs of complete recommendations to the person's feed, the first of the list on top.
    func recommend(_ list: CuratedList, songs: Int, now: Timestamp) throws {
        guard let person = try transaction.visibility.key(ofUser: list.userID) else { return }
        for position in (0..<songs).reversed() {
            let number = try transaction.nextChange()
            try transaction.run(
                """
                INSERT INTO recommended_songs (user_id, number, list_id, position, made_at)
                VALUES (\(list.userID), \(number), \(list.id), \(position), \(now))
                """)
            try transaction.timeline.insertOwn(.recommendation, number: number, for: person, moment: now)
        }
    }

    /// Removes songs of a list from the person's feed.
    ///
    /// - Parameter position: the place of one song; `nil` for all songs of the list.
    func withdrawRecommendations(of listID: String, at position: Int? = nil, userID: String, now: Timestamp) throws {
        let place: SQL = position.map { " AND position = \($0)" } ?? ""
        let rows = try transaction.map(
            """
            SELECT number, list_id, position, made_at FROM recommended_songs
            WHERE user_id = \(userID) AND list_id = \(listID)
            """ + place, RecommendationRow.init)
        guard let person = try transaction.visibility.key(ofUser: userID) else { return }
        for row in rows {
            try transaction.run(
                "DELETE FROM recommended_songs WHERE user_id = \(userID) AND number = \(row.number)")
            try transaction.timeline.removeOwn(
                .recommendation, number: row.number, id: row.id, for: person, moment: row.madeAt, now: now)
        }
    }

    /// Hides the recommendations of a song that has been dismissed.
    ///
    /// - Parameter found: those that are known. Recommendations that were made since are compared here.
    func hideRecommendations(
        _ found: DismissedRecommendations, of dismissal: Dismissal, userID: String, now: Timestamp
    ) throws {
        let later = try recommendations(of: dismissal, after: found.last, userID: userID)
        var hidden: [RecommendationRow] = []
        for number in found.numbers + later.numbers {
            hidden += try transaction.rows(
                """
                UPDATE recommended_songs SET dismissed_as = \(dismissal.reference)
                WHERE user_id = \(userID) AND number = \(number) AND dismissed_as IS NULL
                RETURNING number, list_id, position, made_at
                """
            ).map(RecommendationRow.init)
        }
        try transaction.recordGone(
            .feedItem, ids: hidden.map { TimelineKind.recommendation.itemID($0.id) }, userID: userID, now: now)
    }

    /// Shows the recommendations again that a dismissal has hidden.
    func showRecommendations(hiddenBy reference: String, userID: String) throws {
        guard
            try transaction.execute(
                """
                UPDATE recommended_songs SET dismissed_as = NULL
                WHERE user_id = \(userID) AND dismissed_as = \(reference)
                """) > 0, let person = try transaction.visibility.key(ofUser: userID)
        else { return }
        try transaction.timeline.recordReset(of: person)
    }
}

extension CuratedTrack {
    fileprivate var record: IdentityRecord {
        IdentityRecord(title: title, artist: artist, album: album, durationMs: durationMs)
    }
}
