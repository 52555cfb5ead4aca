import Contracts
import JobStorage
import Library
import LibraryWriting
import Model
import Storage

extension SyncStore where Access == WriteTransaction {
    /// Begins or continues a sync. Jobs from schedules have no row yet, and get one here unless another sync is in
    /// progress.
    ///
    /// - Parameters:
    ///   - id: the id of the job.
    ///   - connected: the sources that the user has connected.
    func beginRun(
        ofSync id: String, _ payload: LibrarySyncPayload, connected: [MusicSource], userID: String, now: Timestamp
    ) throws -> SyncStart {
        let others = try unfinished(userID: userID).filter { $0.id != id }
        let request = LibrarySyncRequest(userID: userID, source: payload.source, force: payload.force ?? false)
        if try syncNumber(of: id, userID: userID) == nil {
            let wanted = payload.source.map { [$0] } ?? connected
            guard !wanted.isEmpty, try covering(request, of: wanted, among: others, now: now) == nil
            else { return .joined }
            try insert(sync: id, for: request, now: now)
        }
        guard let number = try syncNumber(of: id, userID: userID) else { return .joined }
        var asked = request.source.map { [$0] } ?? MusicSource.services.filter(connected.contains)
        let earlier = others.filter { $0.number < number }
        switch try admission(of: asked, after: earlier, sync: id, connected: connected, now: now) {
        case .waits(let time): return .waits(until: time)
        case .reads(let free): asked = free
        }
        let libraryID = try transaction.library.open(userID: userID, now: now)
        let isFirstRun =
            try transaction.execute(
                """
                UPDATE library_syncs SET state = 'running', started_at = \(now)
                WHERE id = \(id) AND user_id = \(userID) AND started_at IS NULL
                """) > 0
        if isFirstRun {
            let fresh =
                request.force || request.source != nil
                ? [] : try freshSources(upTo: number, userID: userID, now: now)
            for source in asked {
                let state = fresh.contains(source) ? "skipped" : "waiting"
                try transaction.run(
                    """
                    INSERT INTO library_sync_sources (sync_id, source, state, found, added, changed)
                    VALUES (\(id), \(source.number), \(state), 0, 0, 0)
                    """)
            }
        } else {
            try transaction.run(
                """
                UPDATE library_syncs SET state = 'running' WHERE id = \(id) AND user_id = \(userID)
                    AND state = 'queued'
                """)
        }
        try touch(sync: id, userID: userID)
        let sources = try transaction.rows(
            "SELECT source FROM library_sync_sources WHERE sync_id = \(id) AND state <> 'skipped'"
        ).compactMap { MusicSource(number: try $0["source"]) }
        return .runs(
            number: number, libraryID: libraryID,
            sources: MusicSource.services.filter(sources.contains),
            mustMerge: try !hasMerged(before: number, userID: userID))
    }

    /// Whether the previous sync reached its end, which comes after merging.
    private func hasMerged(before number: Int64, userID: String) throws -> Bool {
        let last = try transaction.row(
            """
            SELECT state FROM library_syncs WHERE user_id = \(userID) AND number < \(number)
            ORDER BY number DESC LIMIT 1
            """)
        let state: String? = try last?["state"]
        return state == nil || state == "complete" || state == "partial"
    }

    // MARK: Sources

    /// Records that a source is being read from the beginning. Items found after an earlier start are counted again;
    /// items added and changed stay counted. If there is an open question about the account that was dismissed, it
    /// stays dismissed.
    func recordSourceStart(sync id: String, source: MusicSource, userID: String) throws {
        var isDismissed = false
        if try transaction.library.asksForAccount(of: source, userID: userID),
            let number = try syncNumber(of: id, userID: userID)
        {
            isDismissed = try lastEnded(source, upTo: number, userID: userID)?.isDismissed ?? false
        }
        try transaction.run(
            """
            UPDATE library_sync_sources SET state = 'running', phase = NULL, found = 0, total = NULL,
                error_code = NULL, error_message = NULL, is_dismissed = \(isDismissed), finished_at = NULL
            WHERE sync_id = \(id) AND source = \(source.number)
            """)
        try touch(sync: id, userID: userID)
    }

    /// Adds the effect of a page to a source's row.
    ///
    /// - Parameters:
    ///   - seen: the number of items to add to those found, if it differs from the effect's.
    ///   - expected: the number of entries to add to the total.
    func addPageEffect(
        _ effect: PageEffect, seen: Int? = nil, expected: Int = 0, phase: SourceList, sync id: String,
        source: MusicSource, userID: String
    ) throws {
        try transaction.run(
            """
            UPDATE library_sync_sources SET state = 'running', phase = \(phase.rawValue),
                found = found + \(seen ?? effect.found), added = added + \(effect.added),
                changed = changed + \(effect.changed), total = COALESCE(total, 0) + \(expected),
                error_code = NULL, error_message = NULL
            WHERE sync_id = \(id) AND source = \(source.number)
            """)
        try touch(sync: id, userID: userID)
    }

    /// Records that a list was read: everything that was expected has been found.
    func recordListRead(sync id: String, source: MusicSource, userID: String) throws {
        try transaction.run(
            """
            UPDATE library_sync_sources SET found = COALESCE(total, found)
            WHERE sync_id = \(id) AND source = \(source.number)
            """)
        try touch(sync: id, userID: userID)
    }

    /// Sets the state of a source: `running`, `waiting`, `complete` or `failed`.
    func setSourceState(
        _ state: String, _ error: SourceError? = nil, sync id: String, source: MusicSource, userID: String,
        finishedAt: Timestamp? = nil
    ) throws {
        var isDismissed: SQL = error == nil ? "is_dismissed" : "0"
        // A user who knows that an account has no library does not have to be told again every day.
        if state == "complete", let error, try hasDismissed(error, of: source, before: id, userID: userID) {
            isDismissed = "1"
        }
        try transaction.run(
            """
            UPDATE library_sync_sources SET state = \(state), error_code = \(error?.code),
                error_message = \(error?.message), is_dismissed = \(isDismissed), finished_at = \(finishedAt)
            WHERE sync_id = \(id) AND source = \(source.number)
            """)
        try touch(sync: id, userID: userID)
        try touchNewest(but: id, userID: userID)
    }

    /// Whether the last sync before this one that finished with the source reported the same error, and the user has
    /// dismissed it.
    private func hasDismissed(
        _ error: SourceError, of source: MusicSource, before id: String, userID: String
    ) throws -> Bool {
        let last = try transaction.row(
            """
            SELECT error_code, is_dismissed
            FROM library_syncs JOIN library_sync_sources ON library_sync_sources.sync_id = library_syncs.id
            WHERE library_syncs.user_id = \(userID) AND library_syncs.id <> \(id)
                AND library_sync_sources.source = \(source.number)
                AND library_sync_sources.state IN ('complete', 'failed')
            ORDER BY library_syncs.number DESC LIMIT 1
            """)
        guard let last else { return false }
        let (code, isDismissed): (String?, Bool) = (try last["error_code"], try last["is_dismissed"])
        return code == error.code && isDismissed
    }

    /// Makes sure that the question about the account that this sync raises is shown.
    func showQuestion(of source: MusicSource, sync number: Int64, userID: String) throws {
        try transaction.run(
            """
            UPDATE library_sync_sources SET is_dismissed = 0
            WHERE source = \(source.number) AND sync_id IN (
                SELECT id FROM library_syncs WHERE user_id = \(userID) AND number = \(number))
            """)
    }

    // MARK: The end

    func addMerged(_ count: Int, sync id: String, userID: String) throws {
        guard count > 0 else { return }
        try transaction.run(
            "UPDATE library_syncs SET merged = merged + \(count) WHERE id = \(id) AND user_id = \(userID)")
        try touch(sync: id, userID: userID)
    }

    /// Ends a sync.
    func finish(sync id: String, as outcome: SyncState.Outcome, userID: String, now: Timestamp) throws {
        let change = try transaction.nextChange()
        try transaction.run(
            """
            UPDATE library_syncs SET state = \(outcome.rawValue), finished_at = \(now), change = \(change)
            WHERE id = \(id) AND user_id = \(userID)
            """)
        // If no source was read, the library is as old as before.
        if outcome != .failed {
            try transaction.run(
                """
                UPDATE libraries SET last_synced_at = \(now), change = \(change)
                WHERE user_id = \(userID) AND EXISTS (
                    SELECT 1 FROM library_sync_sources WHERE sync_id = \(id) AND state = 'complete')
                """)
        }
        try touchNewest(but: id, userID: userID)
        transaction.recordChange(of: [userID], topic: .library)
    }

    /// Ends a sync whose job ended without a result.
    func endSync(_ id: String, userID: String, as ending: FinalState, now: Timestamp) throws {
        guard ending != .succeeded else { return }
        var (state, error) = (
            "failed", SourceError(code: "cancelled", message: "The sync was cancelled. You can start it again.")
        )
        if case .failed(let code) = ending {
            error = SourceError(
                code: code,
                message: ending.isQuarantined
                    ? "The program that reads libraries crashed repeatedly during this sync, so it will not be tried "
                        + "again. Whoever runs this Backline can find the cause in the worker's log."
                    : "The sync has stopped (\(code)). Start it again.")
        } else {
            state = "cancelled"
        }
        let changed = try transaction.execute(
            """
            UPDATE library_syncs SET state = \(state), finished_at = \(now), change = \(try transaction.nextChange())
            WHERE id = \(id) AND user_id = \(userID) AND state IN ('queued', 'running')
            """)
        guard changed > 0 else { return }
        try transaction.run(
            """
            UPDATE library_sync_sources SET state = 'failed', error_code = \(error.code),
                error_message = \(error.message), is_dismissed = 0, finished_at = \(now)
            WHERE sync_id = \(id) AND state IN ('waiting', 'running')
            """)
        if let number = try syncNumber(of: id, userID: userID) {
            try transaction.scans.dropFetchedPages(ofSync: number, userID: userID)
        }
        try touchNewest(but: id, userID: userID)
        transaction.recordChange(of: [userID], topic: .library)
    }

    /// Makes a failed sync wait again, since its job was requeued with its checkpoint. If other syncs were requested
    /// since, it gets a new number, which shows it that its sightings are gone.
    func requeueSync(_ id: String, userID: String, code: String) throws {
        guard let number = try syncNumber(of: id, userID: userID) else { return }
        let newest = try newestSyncNumber(userID: userID) ?? number
        try transaction.run(
            """
            UPDATE library_syncs SET state = 'queued', finished_at = NULL,
                number = \(newest == number ? number : newest + 1), change = \(try transaction.nextChange())
            WHERE id = \(id) AND user_id = \(userID)
            """)
        try transaction.run(
            """
            UPDATE library_sync_sources SET state = 'waiting', error_code = NULL, error_message = NULL,
                finished_at = NULL
            WHERE sync_id = \(id) AND state = 'failed' AND error_code = \(code)
            """)
        transaction.recordChange(of: [userID], topic: .library)
    }
}

extension SyncStore {
    func syncNumber(of id: String, userID: String) throws -> Int64? {
        try transaction.row("SELECT number FROM library_syncs WHERE id = \(id) AND user_id = \(userID)")
            .map { try $0["number"] }
    }

    func merged(bySync id: String, userID: String) throws -> Int {
        try transaction.row("SELECT merged FROM library_syncs WHERE id = \(id) AND user_id = \(userID)")?["merged"] ?? 0
    }

    /// The error codes of a sync's sources.
    func errorCodes(ofSync id: String) throws -> [String] {
        try transaction.rows(
            "SELECT error_code FROM library_sync_sources WHERE sync_id = \(id) AND error_code IS NOT NULL"
        ).map { try $0["error_code"] }
    }
}
