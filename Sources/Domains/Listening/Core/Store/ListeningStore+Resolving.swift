import Model
import Storage

/// How far a person's songs have been looked up.
package struct SongResolving: Sendable {
    let history: Int64
    /// The key of the song that was looked up last.
    let resolvedSong: Int64
    /// The key of the newest song at the time when this was read.
    let newestSong: Int64
}

/// A song of listens whose track in the library needs to be looked up.
package struct SongToResolve: Sendable {
    let id: Int64
    package let song: SongDescription
    /// The track that it has so far.
    package let track: Int64?
}

/// A song whose track has changed.
package struct ResolvedSong: Sendable {
    let song: SongToResolve
    let track: Int64?

    package init(_ song: SongToResolve, track: Int64?) {
        (self.song, self.track) = (song, track)
    }
}

/// A person with a history.
package struct HistoryOwner: Sendable, Hashable {
    package let historyID: Int64
    package let userID: String
}

extension ListeningStore {
    /// People with songs that have not yet been looked up in their libraries.
    ///
    /// - Parameter last: the history to start after; 0 starts with the first.
    package func unresolved(after last: Int64, limit: Int) throws -> [HistoryOwner] {
        try transaction.map(
            """
            SELECT id, user_id FROM listen_histories
            WHERE resolved_song < newest_song AND id > \(last) ORDER BY id LIMIT \(limit)
            """
        ) { HistoryOwner(historyID: try $0["id"], userID: try $0["user_id"]) }
    }

    /// - Returns: `nil` if all songs have been looked up.
    package func resolving(ofUser userID: String) throws -> SongResolving? {
        try transaction.row(
            """
            SELECT id, resolved_song, newest_song FROM listen_histories
            WHERE user_id = \(userID) AND resolved_song < newest_song
            """
        ).map {
            SongResolving(
                history: try $0["id"], resolvedSong: try $0["resolved_song"], newestSong: try $0["newest_song"])
        }
    }

    /// The next songs to look up.
    ///
    /// - Parameter last: the song to start after; `nil` starts with the first one that has not been looked up.
    package func songsToResolve(
        _ resolving: SongResolving, after last: SongToResolve?, limit: Int
    ) throws -> [SongToResolve] {
        try transaction.map(
            """
            SELECT s.id, s.track_id, \(SongDescription.columns) FROM listen_songs s
            WHERE s.history_id = \(resolving.history) AND s.id > \(last?.id ?? resolving.resolvedSong)
            ORDER BY s.id LIMIT \(limit)
            """
        ) { SongToResolve(id: try $0["id"], song: try SongDescription($0), track: try $0["track_id"]) }
    }

    /// Whether songs have been looked up in an earlier version of the person's library.
    package func isOutdated(by version: Int64, userID: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM listen_histories WHERE user_id = \(userID) AND resolved_version < \(version)")
            != nil
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Stores the tracks of songs whose track has changed.
    package func write(_ resolved: [ResolvedSong], userID: String) throws {
        guard !resolved.isEmpty, let history = try historyID(ofUser: userID) else { return }
        let change = try transaction.nextChange()
        for one in resolved {
            try recordTrack(ofSong: one.song.id, history: history)
            try transaction.run(
                """
                UPDATE listen_songs SET track_id = \(one.track), change = \(change)
                WHERE history_id = \(history) AND id = \(one.song.id)
                """)
            try recordTrack(ofSong: one.song.id, history: history)
        }
        try recordChange(ofHistory: history, userID: userID, difference: 0)
    }

    /// Records that all songs up to one have been looked up, unless another pass was requested meanwhile.
    ///
    /// - Parameter last: the last song; `nil` if there was none to look up.
    package func endResolving(_ resolving: SongResolving, at last: SongToResolve?, userID: String) throws {
        // The newest song may have been deleted since.
        let newest = max(last?.id ?? 0, resolving.newestSong)
        try transaction.run(
            """
            UPDATE listen_histories SET resolved_song = \(newest)
            WHERE user_id = \(userID) AND id = \(resolving.history) AND resolved_song = \(resolving.resolvedSong)
            """)
    }

    /// Requests that all songs be looked up again, in a later version of the library.
    package func resolveAgain(for version: Int64, userID: String) throws {
        // A different number each time, so that a pass in progress notices that it is obsolete. The keys of songs are
        // positive.
        try transaction.run(
            """
            UPDATE listen_histories SET resolved_song = \(-version), resolved_version = \(version)
            WHERE user_id = \(userID) AND resolved_version < \(version)
            """)
    }
}
