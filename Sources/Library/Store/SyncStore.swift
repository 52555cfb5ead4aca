import Contracts
import Model
import Storage

/// A sync that has not ended.
struct UnfinishedSync: Sendable {
    var id: String
    var number: Int64
    var sources: Set<MusicSource>
    var isSingle: Bool
    var isForced: Bool
    var isRunning: Bool

    init(row: Row) throws {
        id = try row["id"]
        number = try row["number"]
        sources = [MusicSource](mask: try row["sources"]).reduce(into: []) { $0.insert($1) }
        isSingle = try row["is_single"]
        isForced = try row["is_forced"]
        isRunning = try row["state"] as String == "running"
    }
}

extension [MusicSource] {
    /// The sources of a set as the database has it: the sum of their numbers.
    init(mask: Int) {
        self = MusicSource.allCases.filter { mask & $0.number != 0 }
    }

    var mask: Int { reduce(0) { $0 | $1.number } }
}

extension LibraryStore {
    /// A person's syncs that have not ended, in the order in which they were asked for.
    func unfinishedSyncs(userID: String) throws -> [UnfinishedSync] {
        try transaction.rows(
            """
            SELECT id, number, sources, is_single, is_forced, state FROM library_syncs
            WHERE user_id = \(userID) AND state IN ('queued', 'running') ORDER BY number
            """
        ).map(UnfinishedSync.init)
    }

    /// Whether a request joins a sync that has not ended, or needs a new one, which runs after the others.
    package func decide(_ request: LibrarySyncRequest, now: Timestamp = .now()) throws -> LibrarySyncDecision {
        let sources = request.sources
        for sync in try unfinishedSyncs(userID: request.userID)
        where try covers(request, of: sources, sync, now: now) {
            return .joins(id: sync.id, state: sync.isRunning ? "running" : "queued")
        }
        return .submits(NewLibrarySync(payload: request.payload))
    }

    /// Whether a sync that has not ended does what a request asks for.
    ///
    /// - Parameter sources: those that the request would read.
    func covers(
        _ request: LibrarySyncRequest, of sources: [MusicSource], _ sync: UnfinishedSync, now: Timestamp
    ) throws -> Bool {
        guard sync.sources.isSuperset(of: sources) else { return false }
        let standings = try standings(ofSync: sync.id)
        // One that was requeued has begun, too.
        if request.isAnew, sources.contains(where: { standings[$0]?.hasBegun == true }) { return false }
        guard sync.isRunning else {
            // A sync that waits and is not forced skips a source that the one before it finishes, unless it is of that
            // source alone.
            return sync.isForced || request.source.map { _ in sync.isSingle } ?? !request.force
        }
        if request.force && !sync.isForced { return false }
        // A source that failed is read again by a new sync only.
        guard sources.allSatisfy({ standings[$0]?.state != "failed" }) else { return false }
        guard let source = request.source else { return true }
        guard let standing = standings[source] else { return false }
        switch standing.state {
        case "skipped": return false
        // The others may keep the sync for long: until tomorrow, where a service asks for that.
        case "complete": return standing.hasFinished(since: now.advanced(by: .zero - LibrarySyncRequest.freshness))
        default: return true
        }
    }

    func standings(ofSync id: String) throws -> [MusicSource: SourceStanding] {
        try transaction.rows(
            """
            SELECT source, state, phase, error_code, finished_at FROM library_sync_sources WHERE sync_id = \(id)
            """
        ).reduce(into: [:]) { standings, row in
            guard let source = MusicSource(number: try row["source"]) else { return }
            standings[source] = try SourceStanding(row: row)
        }
    }
}

/// How far a sync has come with a source.
struct SourceStanding {
    let state: String
    let hasBegun: Bool
    /// Whether the sync reads it no more.
    var hasEnded: Bool { ["complete", "skipped", "failed"].contains(state) }
    private let finishedAt: Timestamp?

    init(row: Row) throws {
        state = try row["state"]
        let (phase, error): (String?, String?) = (try row["phase"], try row["error_code"])
        // A source that waits after an error was being read.
        hasBegun = state != "waiting" || phase != nil || error != nil
        finishedAt = try row["finished_at"]
    }

    func hasFinished(since moment: Timestamp) -> Bool { finishedAt.map { $0 > moment } ?? false }
}

extension LibraryStore where Access == WriteTransaction {
    /// The syncs that are kept of each person, whatever they found.
    private static var keptSyncs: Int64 { 50 }
    /// The most syncs that are kept because the change log names them.
    private static var mostNamedSyncs: Int64 { 1_000 }

    /// Adds a sync that waits for its job, and forgets old ones.
    ///
    /// - Parameter id: the id of the job.
    package func insert(sync id: String, for request: LibrarySyncRequest, now: Timestamp) throws {
        let number = try nextSyncNumber(userID: request.userID)
        try transaction.execute(
            """
            INSERT INTO library_syncs (id, user_id, number, sources, is_single, is_forced, state, asked_at, merged,
                change)
            VALUES (\(id), \(request.userID), \(number), \(request.sources.mask), \(request.source != nil),
                \(request.force), 'queued', \(now), 0, \(try transaction.nextChange()))
            """)
        try forgetSyncs(before: number, userID: request.userID)
        transaction.noteChange(of: [request.userID], topic: .library)
    }

    /// Deletes a person's old syncs, but for those that the change log names.
    private func forgetSyncs(before number: Int64, userID: String) throws {
        // A sync's changes lie between its beginning and its end, so that an index finds them.
        let isForgotten: SQL = """
            user_id = \(userID) AND number <= \(number - Self.keptSyncs) AND finished_at IS NOT NULL
                AND (number <= \(number - Self.mostNamedSyncs) OR NOT EXISTS (
                    SELECT 1 FROM library_changes
                    WHERE library_id = (SELECT id FROM libraries WHERE user_id = \(userID))
                        AND at >= started_at AND at <= finished_at AND sync = library_syncs.number))
            """
        try transaction.execute(
            """
            DELETE FROM library_sync_sources WHERE sync_id IN (SELECT id FROM library_syncs WHERE \(isForgotten))
            """)
        try transaction.execute("DELETE FROM library_syncs WHERE \(isForgotten)")
    }

    func nextSyncNumber(userID: String) throws -> Int64 {
        try (newestSyncNumber(userID: userID) ?? 0) + 1
    }

    func newestSyncNumber(userID: String) throws -> Int64? {
        try transaction.row(
            "SELECT number FROM library_syncs WHERE user_id = \(userID) ORDER BY number DESC LIMIT 1"
        ).map { try $0["number"] }
    }

    /// Notes that a sync's rows changed, for its person's event streams.
    func touch(sync id: String, userID: String) throws {
        try transaction.execute(
            "UPDATE library_syncs SET change = \(try transaction.nextChange()) WHERE id = \(id)")
        transaction.noteChange(of: [userID], topic: .library)
    }

    /// Submits the sync of a source that was connected, or got further scopes, and has the person's libraries read on
    /// the schedule from then on. Call it in the transaction that stores the connection.
    ///
    /// - Parameters:
    ///   - interval: of the schedule; `nil` sets none.
    ///   - submit: submits the job and returns its id.
    /// - Returns: the id of the sync, which may have been asked for before.
    @discardableResult
    package func submitSync(
        afterConnecting source: MusicSource, userID: String, interval: Duration?, now: Timestamp,
        submit: (LibrarySyncPayload) throws -> String
    ) throws -> String {
        try schedule(isConnected: true, userID: userID, interval: interval, now: now)
        try askAgainForRefusedEntries(of: source, userID: userID)
        let request = LibrarySyncRequest(userID: userID, source: source, isAnew: true)
        switch try decide(request, now: now) {
        case .joins(let id, _): return id
        case .submits(let new):
            let id = try submit(new.payload)
            try insert(sync: id, for: request, now: now)
            return id
        }
    }

    /// Sets a person's schedule, or removes it. Call it when a source was connected or disconnected.
    ///
    /// - Parameters:
    ///   - isConnected: whether the person has any source connected.
    ///   - interval: `nil` where libraries are not read on a schedule.
    package func schedule(isConnected: Bool, userID: String, interval: Duration?, now: Timestamp) throws {
        let kind = TypedJobKind.librarySync.kind.name
        if isConnected, let interval {
            try transaction.jobs.setSchedule(kind: kind, userID: userID, every: interval, now: now)
        } else {
            try transaction.jobs.removeSchedule(kind: kind, userID: userID)
        }
    }
}
