import Model
import Storage

/// How much data about listens one person may store.
package struct ListenQuota: Sendable, Equatable {
    /// The most observations; `nil` for no limit.
    package var listens: Int?
    /// The most bytes of songs and their details; `nil` for no limit.
    package var bytes: Int?

    package static let none = ListenQuota()

    package init(listens: Int? = nil, bytes: Int? = nil) {
        (self.listens, self.bytes) = (listens, bytes)
    }

    package init(_ quotas: Quotas) {
        self.init(listens: quotas.listens, bytes: quotas.listenBytes)
    }

    /// Whether the person may store more.
    package func hasRoom(_ use: ListenUse) -> Bool {
        use.listens < listens ?? .max && use.bytes < bytes ?? .max
    }

    /// - Throws: ``QuotaReached`` if the use has grown beyond the quota. Repeated reports do not count as growth.
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

/// How much data about listens a person has stored.
package struct ListenUse: Sendable, Equatable {
    /// The number of observations.
    package var listens = 0
    /// The bytes of songs and their details.
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
    /// Records by how much the use of a history changed.
    func recordUse(ofHistory history: Int64, observations: Int = 0, bytes: Int = 0) throws {
        guard observations != 0 || bytes != 0 else { return }
        // The numbers are normally never below 0, but a damaged number must not stop the removal of rows.
        try transaction.run(
            """
            UPDATE listen_histories
            SET observations =
                    CASE WHEN observations + \(observations) > 0 THEN observations + \(observations) ELSE 0 END,
                said_bytes = CASE WHEN said_bytes + \(bytes) > 0 THEN said_bytes + \(bytes) ELSE 0 END
            WHERE id = \(history)
            """)
    }
}

extension SongDescription {
    /// The number of bytes of its texts.
    var bytes: Int {
        [title, artist, album, isrc, recordingMBID, spotifyID, appleMusicID].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
