import Model
import Storage

extension LibraryStore {
    /// The sync that a person asked for last; `nil` before the first.
    package func latestSync(userID: String) throws -> LibrarySyncView? {
        try transaction.row(
            """
            SELECT \(Self.syncColumns) FROM library_syncs WHERE user_id = \(userID) ORDER BY number DESC LIMIT 1
            """
        ).map { try view(of: $0, userID: userID) }
    }

    /// A person's syncs that changed after `change`, in the order of their changes.
    package func changedSyncs(userID: String, after change: Int64, limit: Int) throws -> [LibrarySyncView] {
        try transaction.rows(
            """
            SELECT \(Self.syncColumns) FROM library_syncs
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ).map { try view(of: $0, userID: userID) }
    }

    private static var syncColumns: SQL { "id, number, state, merged, asked_at, finished_at, change" }

    private func view(of row: Row, userID: String) throws -> LibrarySyncView {
        let (id, number): (String, Int64) = (try row["id"], try row["number"])
        var sources = try transaction.rows(
            "SELECT \(Self.sourceColumns) FROM library_sync_sources WHERE sync_id = \(id)"
        ).compactMap { try LibrarySyncView.SourceView(row: $0) }
        // An error stays until it is dismissed or the source is read again, though later syncs read other sources.
        for source in MusicSource.allCases {
            let index = sources.firstIndex { $0.source == source }
            guard index.map({ sources[$0].state == "skipped" }) ?? true,
                let earlier = try lastError(of: source, before: number, userID: userID)
            else { continue }
            if let index {
                (sources[index].errorCode, sources[index].errorMessage) = (earlier.errorCode, earlier.errorMessage)
            } else {
                sources.append(earlier)
            }
        }
        for index in sources.indices where !sources[index].source.namesAccount {
            sources[index].asksForAccount = try asksForAccount(of: sources[index].source, userID: userID)
        }
        sources.sort { $0.source.number < $1.source.number }
        let state: String = try row["state"]
        return LibrarySyncView(
            id: id, state: state == "cancelled" ? "failed" : state, sources: sources, merged: try row["merged"],
            askedAt: try row["asked_at"], finishedAt: try row["finished_at"], change: try row["change"])
    }

    private static var sourceColumns: SQL {
        """
        source, library_sync_sources.state AS source_state, phase, found, added, changed, total, error_code,
        error_message, is_dismissed
        """
    }

    /// How a source was read last, if that failed and the person has not dismissed it.
    private func lastError(
        of source: MusicSource, before number: Int64, userID: String
    ) throws -> LibrarySyncView.SourceView? {
        let last = try transaction.row(
            """
            SELECT \(Self.sourceColumns)
            FROM library_syncs JOIN library_sync_sources ON library_sync_sources.sync_id = library_syncs.id
            WHERE library_syncs.user_id = \(userID) AND library_syncs.number < \(number)
                AND library_sync_sources.source = \(source.number)
                AND library_sync_sources.state IN ('complete', 'failed')
            ORDER BY library_syncs.number DESC LIMIT 1
            """)
        guard let view = try last.flatMap({ try LibrarySyncView.SourceView(row: $0) }), view.errorCode != nil else {
            return nil
        }
        return view
    }
}

extension LibraryStore where Access == WriteTransaction {
    /// Hides the errors of a person's syncs so far.
    ///
    /// - Returns: the number of errors.
    @discardableResult
    package func dismissErrors(userID: String, now: Timestamp) throws -> Int {
        let count = try transaction.execute(
            """
            UPDATE library_sync_sources SET is_dismissed = 1
            WHERE error_code IS NOT NULL AND is_dismissed = 0
                AND sync_id IN (SELECT id FROM library_syncs WHERE user_id = \(userID))
            """)
        guard count > 0 else { return 0 }
        // The newest shows the errors of earlier ones, too.
        if let latest = try transaction.row(
            "SELECT id FROM library_syncs WHERE user_id = \(userID) ORDER BY number DESC LIMIT 1")
        {
            try touch(sync: try latest["id"], userID: userID)
        }
        return count
    }
}

extension LibrarySyncView.SourceView {
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
