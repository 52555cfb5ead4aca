import Library
import Model
import Storage

extension SyncStore {
    /// The sync that a user requested last; `nil` before the first one.
    package func latest(userID: String) throws -> LibrarySyncView? {
        try transaction.row(
            """
            SELECT \(Self.syncColumns) FROM library_syncs WHERE user_id = \(userID) ORDER BY number DESC LIMIT 1
            """
        ).map { try view(of: $0, userID: userID) }
    }

    /// A user's syncs that changed after `change`, in the order of their changes.
    package func changed(userID: String, after change: Int64, limit: Int) throws -> [LibrarySyncView] {
        try transaction.rows(
            """
            SELECT \(Self.syncColumns) FROM library_syncs
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ).map { try view(of: $0, userID: userID) }
    }

    private static var syncColumns: SQL {
        "id, number, is_single, state, merged, asked_at, started_at, finished_at, change"
    }

    private func view(of row: Row, userID: String) throws -> LibrarySyncView {
        let (id, number, isSingle): (String, Int64, Bool) = (try row["id"], try row["number"], try row["is_single"])
        let startedAt: Timestamp? = isSingle ? nil : try row["started_at"]
        var sources = try transaction.rows(
            "SELECT \(Self.sourceColumns) FROM library_sync_sources WHERE sync_id = \(id)"
        ).compactMap { try LibrarySyncView.SourceView(row: $0) }
        // An error is shown until it is dismissed or the source is read again, even if later syncs read other sources.
        for source in MusicSource.services {
            let asks = try transaction.library.asksForAccount(of: source, userID: userID)
            let last = try lastRead(source, upTo: number, userID: userID)
            if let index = sources.firstIndex(where: { $0.source == source }) {
                if !sources[index].isRead, let view = last?.view {
                    (sources[index].errorCode, sources[index].errorMessage) = (view.errorCode, view.errorMessage)
                }
            } else if let last {
                // A sync of all sources shows the progress of the sync that it has left the source to.
                let isLeft = startedAt.map { start in last.syncEndedAt.map { $0 > start } ?? true } ?? false
                if asks || isLeft || last.view.errorCode != nil || last.view.state == "waiting" {
                    sources.append(last.view)
                }
            }
            guard asks, let index = sources.firstIndex(where: { $0.source == source }) else { continue }
            sources[index].asksForAccount = true
            sources[index].isQuestionDismissed =
                try lastEnded(source, upTo: number, userID: userID)?.isDismissed ?? false
        }
        sources.sort { $0.source.number < $1.source.number }
        var state: String = try row["state"]
        if state == "cancelled" { state = "failed" }
        // What it left has been read since.
        if state == "partial", sources.allSatisfy({ ["complete", "skipped"].contains($0.state) }) {
            state = "complete"
        }
        return LibrarySyncView(
            id: id, state: state, sources: sources, merged: try row["merged"],
            askedAt: try row["asked_at"], finishedAt: try row["finished_at"], change: try row["change"])
    }

    private static var sourceColumns: SQL {
        """
        source, library_sync_sources.state AS source_state, phase, found, added, changed, total, error_code,
        error_message, is_dismissed
        """
    }

    /// How a sync has read a source.
    struct PastScan {
        var view: LibrarySyncView.SourceView
        /// Whether the user has dismissed what the sync reported: its error, or the question about the account.
        var isDismissed: Bool
        /// `nil` while the sync has not ended.
        var syncEndedAt: Timestamp?
    }

    /// How a source was last read by a sync, up to the given number, that has finished with it; `nil` if it never was.
    func lastEnded(_ source: MusicSource, upTo number: Int64, userID: String) throws -> PastScan? {
        try last("library_sync_sources.state IN ('complete', 'failed')", source, upTo: number, userID: userID)
    }

    /// Like ``lastEnded(_:upTo:userID:)``, but also includes syncs that are reading the source, or waiting to continue.
    private func lastRead(_ source: MusicSource, upTo number: Int64, userID: String) throws -> PastScan? {
        let isRead: SQL = """
            (library_sync_sources.state IN ('complete', 'failed', 'running')
                OR library_sync_sources.state = 'waiting' AND (phase IS NOT NULL OR error_code IS NOT NULL))
            """
        return try last(isRead, source, upTo: number, userID: userID)
    }

    private func last(
        _ isRead: SQL, _ source: MusicSource, upTo number: Int64, userID: String
    ) throws -> PastScan? {
        let last = try transaction.row(
            """
            SELECT \(Self.sourceColumns), library_syncs.finished_at AS sync_finished_at
            FROM library_syncs JOIN library_sync_sources ON library_sync_sources.sync_id = library_syncs.id
            WHERE library_syncs.user_id = \(userID) AND library_syncs.number <= \(number)
                AND library_sync_sources.source = \(source.number) AND \(isRead)
            ORDER BY library_syncs.number DESC LIMIT 1
            """)
        guard let last, let view = try LibrarySyncView.SourceView(row: last) else { return nil }
        return PastScan(
            view: view, isDismissed: try last["is_dismissed"], syncEndedAt: try last["sync_finished_at"])
    }
}

extension SyncStore where Access == WriteTransaction {
    /// Hides the errors of a user's syncs so far. Questions about the account are hidden as well until another
    /// credential raises them again; they can still be answered.
    ///
    /// - Returns: the number of errors, including questions.
    @discardableResult
    package func dismissErrors(userID: String, now: Timestamp) throws -> Int {
        var count = try transaction.execute(
            """
            UPDATE library_sync_sources SET is_dismissed = 1
            WHERE error_code IS NOT NULL AND is_dismissed = 0
                AND sync_id IN (SELECT id FROM library_syncs WHERE user_id = \(userID))
            """)
        for source in MusicSource.services where try transaction.library.asksForAccount(of: source, userID: userID) {
            count += try dismissQuestion(of: source, userID: userID)
        }
        guard count > 0 else { return 0 }
        try touchNewest(userID: userID)
        return count
    }

    /// - Returns: 0 if the question was already dismissed.
    private func dismissQuestion(of source: MusicSource, userID: String) throws -> Int {
        try transaction.execute(
            """
            UPDATE library_sync_sources SET is_dismissed = 1
            WHERE source = \(source.number) AND is_dismissed = 0 AND sync_id = (
                SELECT library_syncs.id
                FROM library_syncs JOIN library_sync_sources AS ended ON ended.sync_id = library_syncs.id
                WHERE library_syncs.user_id = \(userID) AND ended.source = \(source.number)
                    AND ended.state IN ('complete', 'failed')
                ORDER BY library_syncs.number DESC LIMIT 1)
            """)
    }
}

extension LibrarySyncView.SourceView {
    /// Whether the sync is reading the source, or has begun to. A source that waits after an error was being read.
    fileprivate var isRead: Bool { state != "skipped" && (state != "waiting" || phase != nil || errorCode != nil) }

    fileprivate init?(row: Row) throws {
        guard let source = MusicSource(number: try row["source"]) else { return nil }
        self.source = source
        state = try row["source_state"]
        phase = try row["phase"]
        found = try row["found"]
        new = try row["added"]
        changed = try row["changed"]
        total = try row["total"]
        let isDismissed: Bool = try row["is_dismissed"]
        errorCode = isDismissed ? nil : try row["error_code"]
        errorMessage = isDismissed ? nil : try row["error_message"]
    }
}
