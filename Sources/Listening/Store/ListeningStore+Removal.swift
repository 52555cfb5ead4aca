import Model
import Storage

extension ListeningStore where Access == WriteTransaction {
    /// Removes some of the observations of an import or a source, and derives their listens anew from what others say.
    ///
    /// What another import has said, too, stays, and so does what keeps a listen deleted.
    ///
    /// - Parameter last: of a source, only observations with keys up to this one.
    /// - Returns: whether nothing is left of it.
    package func removeStep(
        _ what: ListenRemoval, until last: Int64 = .max, userID: String, now: Timestamp
    ) throws -> Bool {
        guard let history = try historyID(ofUser: userID) else { return true }
        let clients = try clients(history: history)
        let condition: SQL
        switch what {
        case .importing(let id): condition = "o.import_id = \(id.key) LIMIT 200"
        case .source(let source):
            condition = "o.source = \(source.number) AND o.is_deleted = 0 AND o.id <= \(last) LIMIT 200"
        }
        let found = try load(condition, history: history, clients: clients)
        guard !found.plays.isEmpty else {
            if case .importing(let id) = what {
                try transaction.execute(
                    "DELETE FROM listen_repeats WHERE history_id = \(history) AND import_id = \(id.key)")
            }
            return true
        }
        var removed: [Play] = []
        for play in found.plays {
            if case .importing(let id) = what, try keep(play, without: id, history: history) { continue }
            try transaction.execute(
                """
                DELETE FROM listen_observations
                WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
                """)
            try transaction.execute(
                "DELETE FROM listen_repeats WHERE history_id = \(history) AND observation_id = \(play.id)")
            removed.append(play)
        }
        for run in removed.sorted(by: { $0.start < $1.start }).runs(by: \.start) {
            var work = Rederivation(history: history, userID: userID, clients: clients)
            work.removed = run
            work.saidKeys = found.saidKeys
            _ = try derive(work, now: now)
        }
        return false
    }

    /// Keeps an observation that another import has said, too, or that keeps a listen deleted.
    ///
    /// - Returns: whether it is kept.
    private func keep(_ play: Play, without importID: LibraryID, history: Int64) throws -> Bool {
        let other: Int64? = try transaction.row(
            """
            SELECT MIN(import_id) AS other FROM listen_repeats
            WHERE history_id = \(history) AND observation_id = \(play.id) AND import_id <> \(importID.key)
            """
        ).flatMap { try $0["other"] }
        guard other != nil || play.isDeleted else { return false }
        try transaction.execute(
            """
            UPDATE listen_observations SET import_id = \(other)
            WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
            """)
        if let other {
            try transaction.execute(
                """
                DELETE FROM listen_repeats
                WHERE history_id = \(history) AND import_id = \(other) AND observation_id = \(play.id)
                """)
        }
        return true
    }

    /// Deletes a listen. It stays deleted when a source tells it again.
    ///
    /// - Returns: whether there was such a listen.
    package func deleteListen(_ id: LibraryID, userID: String, now: Timestamp) throws -> Bool {
        guard let history = try historyID(ofUser: userID),
            let startedAt: Int64 = try transaction.row(
                "SELECT started_at FROM listens WHERE history_id = \(history) AND id = \(id.key)")?["started_at"]
        else { return false }
        let clients = try clients(history: history)
        var work = Rederivation(history: history, userID: userID, clients: clients)
        let near = try plays(in: work.range(around: [startedAt]), history: history, clients: clients)
        for play in near.plays where play.listenID == id.key {
            try transaction.execute(
                """
                UPDATE listen_observations SET is_deleted = 1
                WHERE history_id = \(history) AND started_at = \(play.start) AND id = \(play.id)
                """)
            work.changed.insert(play.id)
            work.changedStarts.append(play.start)
        }
        _ = try derive(work, now: now)
        return true
    }
}
