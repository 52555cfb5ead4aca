import Model
import Storage

/// The most recordings on which a person may give feedback.
package let mostRecordingFeedback = 20_000

/// The order of feedback lists: the latest first.
package let recordingFeedbackList = Keyset<Int>("recordingFeedback", by: "f.id", descending: true)

/// A page of a person's feedback.
package struct RecordingFeedbackPage: Sendable {
    package var items: [RecordingFeedback]
    /// The number of items in the whole list.
    package var total: Int
    package var nextCursor: String?
}

extension ListeningStore {
    /// A person's feedback, the latest first.
    ///
    /// - Parameters:
    ///   - score: the only score to return; `nil` for all.
    ///   - offset: how many items to skip at the start.
    package func feedback(
        userID: String, score: RecordingFeedback.Score? = nil, after cursor: Cursor<Int>? = nil, offset: Int = 0,
        limit: Int
    ) throws -> RecordingFeedbackPage {
        guard let history = try historyID(ofUser: userID) else { return RecordingFeedbackPage(items: [], total: 0) }
        let wanted: SQL = score.map { " AND f.score = \($0.rawValue)" } ?? ""
        var items = try transaction.map(
            """
            SELECT \(RecordingFeedback.columns) FROM \(RecordingFeedback.rows)
            WHERE f.history_id = \(history)\(wanted)\(recordingFeedbackList.following(cursor))
            ORDER BY \(recordingFeedbackList.order) LIMIT \(limit + 1) OFFSET \(offset)
            """, RecordingFeedback.init)
        let isLast = items.count <= limit
        if !isLast { items.removeLast() }
        let total: Int =
            try transaction.row(
                "SELECT COUNT(*) AS total FROM listen_feedback f WHERE f.history_id = \(history)\(wanted)")?[
                "total"] ?? 0
        return RecordingFeedbackPage(
            items: items, total: total,
            nextCursor: isLast ? nil : items.last.map { recordingFeedbackList.text(of: Int($0.id.key)) })
    }

    /// A person's feedback on some recordings, in the order in which it was given.
    package func feedback(msids: [String], mbids: [String], userID: String) throws -> [RecordingFeedback] {
        guard let history = try historyID(ofUser: userID) else { return [] }
        return try feedback(msids: msids, mbids: mbids, history: history)
    }

    private func feedback(msids: [String], mbids: [String], history: Int64) throws -> [RecordingFeedback] {
        var found: [RecordingFeedback] = []
        for part in msids.inParts { found += try feedback("recording_msid IN (\(list: part))", history: history) }
        for part in mbids.inParts { found += try feedback("recording_mbid IN (\(list: part))", history: history) }
        return found.sorted { $0.id.key < $1.id.key }
    }

    // SQLite would read all of a person's feedback by its primary key rather than look up the other columns of rows
    // that it finds with an index, so the inner query selects only the ids, which are in the index.
    private func feedback(_ condition: SQL, history: Int64) throws -> [RecordingFeedback] {
        try transaction.map(
            """
            SELECT \(RecordingFeedback.columns) FROM \(RecordingFeedback.rows)
            WHERE f.history_id = \(history) AND f.id IN (
                SELECT id FROM listen_feedback WHERE history_id = \(history) AND \(condition))
            """, RecordingFeedback.init)
    }

    /// A person's feedback on songs; the latest feedback counts.
    ///
    /// - Returns: the scores in the order of the songs, with `nil` for those without feedback.
    func feedback(on songs: [SongDescription], history: Int64) throws -> [RecordingFeedback.Score?] {
        guard try transaction.row("SELECT 1 AS found FROM listen_feedback WHERE history_id = \(history) LIMIT 1") != nil
        else { return songs.map { _ in nil } }
        var found = try feedback(
            msids: songs.map(\.msid) + songs.compactMap(\.recordingMBID), mbids: songs.compactMap(\.recordingMBID),
            history: history)
        for part in Set(songs.map(\.wordsKey)).inParts {
            found += try feedback("song_key IN (\(list: part))", history: history)
        }
        found.sort { $0.id.key < $1.id.key }
        var byID: [String: RecordingFeedback] = [:]
        var byWords: [Int64: RecordingFeedback] = [:]
        for one in found {
            for id in [one.recording.msid, one.recording.mbid].compactMap(\.self) { byID[id] = one }
            if let song = one.song { byWords[song.wordsKey] = one }
        }
        return songs.map { song in
            [byID[song.msid], song.recordingMBID.flatMap { byID[$0] }, byWords[song.wordsKey]].compactMap(\.self)
                .max { $0.id.key < $1.id.key }?.score
        }
    }

    /// The songs that a person loves or hates, the latest first, if a listen describes them.
    package func feedbackSongs(userID: String, _ score: RecordingFeedback.Score) throws -> [RecordingFeedback] {
        try feedback(userID: userID, score: score, limit: mostRecordingFeedback).items.filter { $0.song != nil }
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Records that a person loves or hates a recording. This replaces their earlier feedback on it.
    ///
    /// - Parameters:
    ///   - score: the feedback; `nil` withdraws it.
    ///   - playing: the song that is currently playing, which may not have a listen yet.
    /// - Returns: `false` if the person has already given feedback on ``mostRecordingFeedback`` others.
    package func setFeedback(
        _ score: RecordingFeedback.Score?, on recording: RecordingFeedback.Recording, playing: SongDescription? = nil,
        userID: String, now: Timestamp
    ) throws -> Bool {
        if score == nil, try historyID(ofUser: userID) == nil { return true }
        let history = try openHistory(ofUser: userID, now: now)
        let former = try feedback(
            msids: [recording.msid].compactMap(\.self), mbids: [recording.mbid].compactMap(\.self), history: history)
        for one in former { try delete(one.id, history: history) }
        if let score {
            let total: Int =
                try transaction.row("SELECT COUNT(*) AS total FROM listen_feedback WHERE history_id = \(history)")?[
                    "total"] ?? 0
            guard total < mostRecordingFeedback else { return false }
            let known = try recentSong(of: recording, history: history)
            let song = known?.song ?? playing.flatMap { recording.isOf($0) ? $0 : nil }
            try transaction.run(
                """
                INSERT INTO listen_feedback (history_id, id, recording_msid, recording_mbid, score, created_at, song_id,
                    song_key, title, artist, album)
                VALUES (
                    \(history), \(try nextKeys(1, now: now)), \(recording.msid), \(recording.mbid), \(score.rawValue),
                    \(now), \(known?.id), \(song?.wordsKey), \(song?.title), \(song?.artist), \(song?.album))
                """)
            if known == nil { try searchAgain(history: history) }
        }
        if score != nil || !former.isEmpty { try recordChange(ofHistory: history, userID: userID, difference: 0) }
        return true
    }

    /// - Returns: whether there was feedback with that id.
    package func deleteFeedback(_ id: LibraryID, userID: String) throws -> Bool {
        guard let history = try historyID(ofUser: userID), try delete(id, history: history) else { return false }
        try recordChange(ofHistory: history, userID: userID, difference: 0)
        return true
    }

    @discardableResult
    private func delete(_ id: LibraryID, history: Int64) throws -> Bool {
        try transaction.execute("DELETE FROM listen_feedback WHERE history_id = \(history) AND id = \(id.key)") > 0
    }

    /// Finds the song among those that were heard or added last, since people give feedback on what they hear.
    private func recentSong(
        of recording: RecordingFeedback.Recording, history: Int64
    ) throws -> (id: Int64, song: SongDescription)? {
        let limit = 200
        let heard: [Int64] = try transaction.map(
            """
            SELECT song_id FROM listens WHERE history_id = \(history) ORDER BY started_at DESC, id DESC LIMIT \(limit)
            """
        ) { try $0["song_id"] }
        let said: [Int64] = try transaction.map(
            "SELECT id FROM listen_songs WHERE history_id = \(history) ORDER BY id DESC LIMIT \(limit)"
        ) { try $0["id"] }
        return try songs(Set(heard + said), history: history).sorted { $0.key > $1.key }
            .first { recording.isOf($0.value) }.map { ($0.key, $0.value) }
    }
}
