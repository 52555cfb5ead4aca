import Model
import Storage

/// What one person may keep of listens.
package struct ListenQuota: Sendable, Equatable {
    /// Observations; `nil` for any number.
    package var listens: Int?
    /// The bytes of songs and of what else was said of them; `nil` for any number.
    package var bytes: Int?

    package static let none = ListenQuota()

    package init(listens: Int? = nil, bytes: Int? = nil) {
        (self.listens, self.bytes) = (listens, bytes)
    }

    package init(_ quotas: Quotas) {
        self.init(listens: quotas.listens, bytes: quotas.listenBytes)
    }

    /// Whether somebody may keep more.
    package func hasRoom(_ use: ListenUse) -> Bool {
        use.listens < listens ?? .max && use.bytes < bytes ?? .max
    }

    /// - Throws: ``QuotaReached`` where the use has grown beyond the quota. What a source says again is no growth.
    func check(from former: ListenUse, to present: ListenUse) throws(QuotaReached) {
        if let listens, present.listens > max(listens, former.listens) {
            throw QuotaReached(
                .listens, limit: listens, used: former.listens, asked: present.listens - former.listens)
        }
        if let bytes, present.bytes > max(bytes, former.bytes) {
            throw QuotaReached(.listenBytes, limit: bytes, used: former.bytes, asked: present.bytes - former.bytes)
        }
    }
}

/// What a person keeps of listens.
package struct ListenUse: Sendable, Equatable {
    /// Observations.
    package var listens = 0
    /// Of songs, and of what else was said of them.
    package var bytes = 0
}

extension ListeningStore {
    package func use(ofUser userID: String) throws -> ListenUse {
        try historyID(ofUser: userID).map { try use(ofHistory: $0) } ?? ListenUse()
    }

    func use(ofHistory history: Int64) throws -> ListenUse {
        try transaction.row("SELECT observations, said_bytes FROM listen_histories WHERE id = \(history)").map {
            ListenUse(listens: try $0["observations"], bytes: try $0["said_bytes"])
        } ?? ListenUse()
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// Notes by how much the use of a history changed.
    func noteUse(ofHistory history: Int64, observations: Int = 0, bytes: Int = 0) throws {
        guard observations != 0 || bytes != 0 else { return }
        // Below 0 it would never be: a damaged number must not stop what removes rows.
        try transaction.execute(
            """
            UPDATE listen_histories
            SET observations =
                    CASE WHEN observations + \(observations) > 0 THEN observations + \(observations) ELSE 0 END,
                said_bytes = CASE WHEN said_bytes + \(bytes) > 0 THEN said_bytes + \(bytes) ELSE 0 END
            WHERE id = \(history)
            """)
    }
}

extension SaidSong {
    /// Of its texts.
    var bytes: Int {
        [title, artist, album, isrc, recordingMBID, spotifyID, appleMusicID].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
