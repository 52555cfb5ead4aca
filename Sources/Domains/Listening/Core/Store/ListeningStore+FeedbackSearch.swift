import Model
import Storage

/// The state of a search among a person's songs for those that their feedback is about.
package struct FeedbackSearch: Sendable {
    let history: Int64
    /// The key of the song after which the search starts.
    package let from: Int64
    /// The key of the newest song at the time when this was read.
    let newestSong: Int64
    /// The recordings of feedback whose songs are not known, by the keys of the feedback.
    let unknown: [Int64: RecordingFeedback.Recording]
    private let keysByID: [String: [Int64]]

    init(history: Int64, from: Int64, newestSong: Int64, unknown: [Int64: RecordingFeedback.Recording]) {
        (self.history, self.from, self.newestSong, self.unknown) = (history, from, newestSong, unknown)
        var keys: [String: [Int64]] = [:]
        for (key, recording) in unknown {
            for id in [recording.msid, recording.mbid].compactMap(\.self) { keys[id, default: []].append(key) }
        }
        keysByID = keys
    }

    /// The keys of the feedback on a song.
    func feedback(on song: SongDescription) -> [Int64] {
        [song.msid, song.recordingMBID].compactMap(\.self).flatMap { keysByID[$0] ?? [] }
            .filter { unknown[$0]?.isOf(song) == true }
    }
}

/// The songs that one step of a search found.
package struct FeedbackSongs: Sendable {
    /// The songs by the keys of the feedback.
    var found: [Int64: (id: Int64, song: SongDescription)] = [:]
    /// The key of the last song that was examined; `nil` if there are no more songs.
    package var last: Int64?
    package var isEmpty: Bool { found.isEmpty }
}

extension ListeningStore {
    /// People whose feedback may be about songs that were added since the last search.
    package func peopleToSearchFeedback(limit: Int) throws -> [String] {
        try transaction.map(
            "SELECT user_id FROM listen_histories WHERE feedback_searched < newest_song ORDER BY id LIMIT \(limit)"
        ) { try $0["user_id"] }
    }

    /// - Returns: `nil` if there is nothing to search.
    package func feedbackSearch(ofUser userID: String) throws -> FeedbackSearch? {
        let row = try transaction.row(
            """
            SELECT id, feedback_searched, newest_song FROM listen_histories
            WHERE user_id = \(userID) AND feedback_searched < newest_song
            """)
        guard let row else { return nil }
        let history: Int64 = try row["id"]
        var unknown: [Int64: RecordingFeedback.Recording] = [:]
        try transaction.forEachRow(
            """
            SELECT f.id, f.recording_msid, f.recording_mbid FROM \(RecordingFeedback.rows)
            WHERE f.history_id = \(history) AND s.id IS NULL ORDER BY f.id
            """
        ) {
            unknown[try $0["id"]] = .init(known: try $0["recording_msid"], try $0["recording_mbid"])
            return .continue
        }
        return FeedbackSearch(
            history: history, from: try row["feedback_searched"], newestSong: try row["newest_song"], unknown: unknown)
    }

    /// Examines the next songs of a search.
    package func search(_ search: FeedbackSearch, after last: Int64, limit: Int) throws -> FeedbackSongs {
        var result = FeedbackSongs()
        var count = 0
        guard !search.unknown.isEmpty else { return result }
        try transaction.forEachRow(
            """
            SELECT s.id, \(SongDescription.columns) FROM listen_songs s
            WHERE s.history_id = \(search.history) AND s.id > \(last) ORDER BY s.id LIMIT \(limit)
            """
        ) { row in
            let (id, song): (Int64, SongDescription) = (try row["id"], try SongDescription(row))
            for key in search.feedback(on: song) { result.found[key] = (id, song) }
            (result.last, count) = (id, count + 1)
            return .continue
        }
        if count < limit { result.last = nil }
        return result
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Stores the songs that were found for feedback.
    package func write(_ songs: FeedbackSongs, of search: FeedbackSearch, userID: String) throws {
        for (key, (id, song)) in songs.found {
            try transaction.run(
                """
                UPDATE listen_feedback
                SET song_id = \(id), song_key = \(song.wordsKey), title = \(song.title), artist = \(song.artist),
                    album = \(song.album)
                WHERE history_id = \(search.history) AND id = \(key)
                """)
        }
        try recordChange(ofHistory: search.history, userID: userID, difference: 0)
    }

    /// Records that all songs of a search were examined, unless feedback was given meanwhile.
    package func end(_ search: FeedbackSearch) throws {
        try transaction.run(
            """
            UPDATE listen_histories SET feedback_searched = \(search.newestSong)
            WHERE id = \(search.history) AND feedback_searched = \(search.from)
            """)
    }

    /// Requests that all songs be searched for the recordings of feedback that are not known.
    func searchAgain(history: Int64) throws {
        // A different number each time, so that a search in progress notices that it is obsolete. The keys of songs are
        // positive.
        try transaction.run(
            """
            UPDATE listen_histories
            SET feedback_searched = CASE WHEN feedback_searched <= 0 THEN feedback_searched - 1 ELSE 0 END
            WHERE id = \(history)
            """)
    }
}

extension RecordingFeedback {
    static let columns: SQL = """
        f.id, f.recording_msid, f.recording_mbid, f.score, f.created_at, f.title, f.artist, f.album, s.track_id
        """
    static let rows: SQL = """
        listen_feedback f LEFT JOIN listen_songs s ON s.history_id = f.history_id AND s.id = f.song_id
        """

    init(_ row: Row) throws {
        let score: Int = try row["score"]
        let (title, artist): (String?, String?) = (try row["title"], try row["artist"])
        let track: Int64? = try row["track_id"]
        guard let known = Score(rawValue: score) else {
            throw StorageError.column(name: "score", found: "\(score)", wanted: "1 or -1")
        }
        var song: SongDescription?
        if let title, let artist { song = SongDescription(title: title, artist: artist, album: try row["album"]) }
        self.init(
            id: LibraryID(key: try row["id"]),
            recording: Recording(known: try row["recording_msid"], try row["recording_mbid"]), score: known,
            createdAt: try row["created_at"], song: song, trackID: track.map { LibraryID(key: $0) })
    }
}
