import Contracts
import JobStorage
import Library
import Model
import Storage

/// Syncs, and their progress with each source. Read or written in a transaction: `transaction.syncs`.
package struct SyncStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var syncs: SyncStore<Self> { SyncStore(transaction: self) }
}

extension SyncStore {
    /// A user's syncs that have not ended, in the order in which they were requested.
    func unfinished(userID: String) throws -> [UnfinishedSync] {
        try transaction.rows(
            """
            SELECT id, number, sources, is_single, is_forced, state FROM library_syncs
            WHERE user_id = \(userID) AND state IN ('queued', 'running') ORDER BY number
            """
        ).map(UnfinishedSync.init)
    }

    /// Decides whether a request joins a sync that has not ended, or needs a new one, which runs after the others.
    package func decide(_ request: LibrarySyncRequest, now: Timestamp = .now()) throws -> LibrarySyncDecision {
        let others = try unfinished(userID: request.userID)
        if let sync = try covering(request, of: request.sources, among: others, now: now) {
            return .joins(id: sync.id, state: sync.isRunning ? "running" : "queued")
        }
        return .submits(NewLibrarySync(payload: request.payload))
    }

    /// The first sync that does what a request asks for; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - sources: the sources that the request would read.
    ///   - others: the user's syncs that have not ended.
    func covering(
        _ request: LibrarySyncRequest, of sources: [MusicSource], among others: [UnfinishedSync], now: Timestamp
    ) throws -> UnfinishedSync? {
        let paused = try pausedSources(among: others)
        return try others.first { sync in
            guard sync.sources.isSuperset(of: sources) else { return false }
            let statuses = try statuses(ofSync: sync.id)
            // A requeued sync has begun as well.
            if request.isRestart, sources.contains(where: { statuses[$0]?.hasBegun == true }) { return false }
            guard sync.isRunning else {
                // A sync of all sources leaves a paused source to the sync that is waiting for the end of the pause.
                if !sync.isSingle, let source = request.source, paused.contains(source) { return false }
                // A waiting sync that is not forced skips sources that the sync before it finishes, unless it is for
                // that source alone.
                return sync.isForced || request.source.map { _ in sync.isSingle } ?? !request.force
            }
            if request.force && !sync.isForced { return false }
            if let source = request.source { return statuses[source].map { !$0.hasEnded } ?? false }
            // Sources that are not among its own are not connected, or are left to another sync.
            let ended = statuses.filter { sources.contains($0.key) && $0.value.hasEnded }
            if ended.isEmpty { return true }
            guard !request.force, ended.values.allSatisfy({ $0.state != "failed" }) else { return false }
            // The other sources may delay the sync for long: until tomorrow, if a service demands it. A new sync would
            // skip those that have just finished.
            return try freshSources(userID: request.userID, now: now).isSuperset(of: ended.keys)
        }
    }

    /// The sources that finished within ``LibrarySyncRequest/freshness`` and have not failed since.
    ///
    /// - Parameter number: the number of the last sync to consider; `nil` for all.
    func freshSources(upTo number: Int64? = nil, userID: String, now: Timestamp) throws -> Set<MusicSource> {
        let completed = try transaction.rows(
            """
            SELECT source FROM libraries JOIN library_sources ON library_sources.library_id = libraries.id
            WHERE libraries.user_id = \(userID)
                AND completed_at > \(now.advanced(by: .zero - LibrarySyncRequest.freshness)) AND completed_at <= \(now)
            """
        ).compactMap { MusicSource(number: try $0["source"]) }
        return Set(
            try completed.filter { source in
                try lastEnded(source, upTo: number ?? .max, userID: userID)?.view.state == "complete"
            })
    }

    func statuses(ofSync id: String) throws -> [MusicSource: SourceStatus] {
        try transaction.rows(
            """
            SELECT source, state, phase, error_code FROM library_sync_sources WHERE sync_id = \(id)
            """
        ).reduce(into: [:]) { statuses, row in
            guard let source = MusicSource(number: try row["source"]) else { return }
            statuses[source] = try SourceStatus(row: row)
        }
    }
}

extension SyncStore where Access == WriteTransaction {
    /// The number of syncs that are kept per user, no matter what they found.
    private static var keptSyncs: Int64 { 50 }
    /// The maximum number of syncs that are kept because the change log refers to them.
    private static var mostNamedSyncs: Int64 { 1_000 }

    /// Adds a sync that waits for its job, and deletes old ones.
    ///
    /// - Parameter id: the id of the job.
    package func insert(sync id: String, for request: LibrarySyncRequest, now: Timestamp) throws {
        let number = try nextSyncNumber(userID: request.userID)
        try transaction.run(
            """
            INSERT INTO library_syncs (id, user_id, number, sources, is_single, is_forced, state, asked_at, merged,
                change)
            VALUES (\(id), \(request.userID), \(number), \(request.sources.mask), \(request.source != nil),
                \(request.force), 'queued', \(now), 0, \(try transaction.nextChange()))
            """)
        try forgetSyncs(before: number, userID: request.userID)
        transaction.recordChange(of: [request.userID], topic: .library)
    }

    /// Deletes a user's old syncs, except those that the change log refers to.
    private func forgetSyncs(before number: Int64, userID: String) throws {
        // A sync's changes are dated between its start and its end, so an index finds them.
        let isForgotten: SQL = """
            user_id = \(userID) AND number <= \(number - Self.keptSyncs) AND finished_at IS NOT NULL
                AND (number <= \(number - Self.mostNamedSyncs) OR NOT EXISTS (
                    SELECT 1 FROM library_changes
                    WHERE library_id = (SELECT id FROM libraries WHERE user_id = \(userID))
                        AND at >= started_at AND at <= finished_at AND sync = library_syncs.number))
            """
        try transaction.run(
            """
            DELETE FROM library_sync_sources WHERE sync_id IN (SELECT id FROM library_syncs WHERE \(isForgotten))
            """)
        let ids: [String] = try transaction.map("SELECT id FROM library_syncs WHERE \(isForgotten)") { try $0["id"] }
        try transaction.run("DELETE FROM library_syncs WHERE \(isForgotten)")
        try transaction.recordGone(.librarySync, ids: ids, userID: userID)
    }

    func nextSyncNumber(userID: String) throws -> Int64 {
        try (newestSyncNumber(userID: userID) ?? 0) + 1
    }

    func newestSyncNumber(userID: String) throws -> Int64? {
        try transaction.row(
            "SELECT number FROM library_syncs WHERE user_id = \(userID) ORDER BY number DESC LIMIT 1"
        ).map { try $0["number"] }
    }

    /// Records that a sync's rows changed, and notifies its user's event streams.
    func touch(sync id: String, userID: String) throws {
        try transaction.run(
            "UPDATE library_syncs SET change = \(try transaction.nextChange()) WHERE id = \(id)")
        transaction.recordChange(of: [userID], topic: .library)
    }

    /// Records that the user's newest sync changed, since it also shows sources of earlier ones.
    ///
    /// - Parameter id: a sync whose change is already recorded.
    func touchNewest(but id: String? = nil, userID: String) throws {
        let newest = try transaction.row(
            "SELECT id FROM library_syncs WHERE user_id = \(userID) ORDER BY number DESC LIMIT 1")
        guard let newest: String = try newest?["id"], newest != id else { return }
        try touch(sync: newest, userID: userID)
    }

    /// Submits the sync of a source that was connected or was granted further scopes, and schedules syncs of the user's
    /// libraries. Must be called in the transaction that stores the connection.
    ///
    /// - Parameters:
    ///   - interval: the interval of the schedule; `nil` does not set one.
    ///   - submit: submits the job and returns its id.
    /// - Returns: the id of the sync, which may have been requested before.
    @discardableResult
    package func submitSync(
        afterConnecting source: MusicSource, userID: String, interval: Duration?, now: Timestamp,
        submit: (LibrarySyncPayload) throws -> String
    ) throws -> String {
        try schedule(isConnected: true, userID: userID, interval: interval, now: now)
        try transaction.playlists.refetchRefusedEntries(of: source, userID: userID)
        let request = LibrarySyncRequest(userID: userID, source: source, isRestart: true)
        switch try decide(request, now: now) {
        case .joins(let id, _): return id
        case .submits(let new):
            let id = try submit(new.payload)
            try insert(sync: id, for: request, now: now)
            return id
        }
    }

    /// Sets a user's schedule, or removes it. Must be called when a source was connected or disconnected.
    ///
    /// - Parameters:
    ///   - isConnected: whether the user has connected any source.
    ///   - interval: the interval of the schedule; `nil` if libraries are not read on a schedule.
    package func schedule(isConnected: Bool, userID: String, interval: Duration?, now: Timestamp) throws {
        let kind = TypedJobKind.librarySync.kind.name
        if isConnected, let interval {
            try transaction.jobs.setSchedule(kind: kind, userID: userID, every: interval, now: now)
        } else {
            try transaction.jobs.removeSchedule(kind: kind, userID: userID)
        }
    }
}
