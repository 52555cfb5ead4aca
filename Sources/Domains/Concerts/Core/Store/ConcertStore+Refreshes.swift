import Model
import Storage

/// When watched subjects are looked up again.
extension ConcertStore {
    /// Whether a refresh is due. It reads the ends of an index.
    package func areRefreshesDue(now: Timestamp) throws -> Bool {
        let ends = try transaction.row(
            """
            SELECT (SELECT MIN(next_at) FROM concert_refreshes) AS first,
                (SELECT MAX(next_at) FROM concert_refreshes) AS last
            """)
        let (first, last): (Timestamp?, Timestamp?) = (try ends?["first"], try ends?["last"])
        return first.map { $0 <= now } ?? false || last.map { $0 > Self.latest(now: now) } ?? false
    }

    /// A later time was set while the clock was ahead.
    private static func latest(now: Timestamp) -> Timestamp { now.advanced(by: RefreshTimes.interval * 3) }

    /// The subjects that are due, longest overdue first, with what to ask for.
    func dueRefreshes(now: Timestamp, limit: Int) throws -> [(subjectKey: String, name: String)] {
        let late = try transaction.rows(
            """
            SELECT subject_key, name FROM concert_refreshes WHERE next_at <= \(now)
            ORDER BY next_at, subject_key LIMIT \(limit)
            """)
        let ahead = try transaction.rows(
            """
            SELECT subject_key, name FROM concert_refreshes WHERE next_at > \(Self.latest(now: now))
            ORDER BY next_at, subject_key LIMIT \(limit - late.count)
            """)
        return try (late + ahead).map { (try $0["subject_key"], try $0["name"]) }
    }

    /// A person who waits for the first lookup of a subject.
    func firstOwed(ofSubject key: String) throws -> String? {
        try transaction.row(
            """
            SELECT user_id FROM concert_watches WHERE subject_key = \(key) AND settled_at IS NULL
            ORDER BY user_id LIMIT 1
            """
        ).map { try $0["user_id"] }
    }

    /// Whether the last lookup of a subject ended without an answer. Then it waits for the next day like any other.
    func hasFailedRefresh(of key: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM concert_refreshes WHERE subject_key = \(key) AND failure IS NOT NULL") != nil
    }

    /// How many calls scheduled refreshes of a day were expected to cost.
    ///
    /// - Parameter day: in days since 1970.
    func refreshCalls(onDay day: Int) throws -> Int {
        try transaction.row("SELECT calls FROM concert_refresh_days WHERE day = \(day)")?["calls"] ?? 0
    }

    /// How far the first lookups of what a person watches are.
    func refreshProgress(userID: String) throws -> [WatchedTopic.Part: RefreshProgress] {
        let rows = try transaction.rows(
            """
            SELECT concert_watches.part, concert_watches.settled_at, concert_refreshes.failure, jobs.state
            FROM concert_watches
                LEFT JOIN concert_refreshes ON concert_refreshes.subject_key = concert_watches.subject_key
                LEFT JOIN concert_subjects ON concert_subjects.subject_key = concert_watches.subject_key
                LEFT JOIN jobs ON jobs.id = concert_subjects.job_id AND jobs.finished_at IS NULL
            WHERE concert_watches.user_id = \(userID)
            """)
        var parts: [WatchedTopic.Part: RefreshProgress] = [:]
        for row in rows {
            let (failure, state): (String?, String?) = (try row["failure"], try row["state"])
            parts[try row["part"], default: RefreshProgress()].add(
                settledAt: try row["settled_at"], failure: failure.flatMap(ConcertWarningCode.init),
                isRunning: state == "running", isUnderWay: state != nil)
        }
        return parts
    }
}

extension ConcertStore where Access == WriteTransaction {
    /// Has a subject looked up again.
    ///
    /// - Parameter isNow: whether it is due at once; otherwise it keeps the time that it has, or gets `later`.
    func setRefresh(subjectKey: String, name: String, isNow: Bool, later: Timestamp, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO concert_refreshes (subject_key, name, next_at)
            VALUES (\(subjectKey), \(name), \(isNow ? now : later))
            ON CONFLICT DO NOTHING
            """)
        guard isNow else { return }
        try transaction.run(
            """
            UPDATE concert_refreshes SET next_at = \(now) WHERE subject_key = \(subjectKey) AND next_at > \(now)
            """)
    }

    /// Has what a person watches looked up at once, if nobody has known it for ``TopicRecord/memory``.
    func hastenRefreshes(userID: String, now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE concert_refreshes SET next_at = \(now) WHERE next_at > \(now) AND subject_key IN (
                SELECT concert_watches.subject_key FROM concert_watches
                    JOIN concert_topics ON concert_topics.subject_key = concert_watches.subject_key
                    AND concert_topics.topic = concert_watches.topic
                WHERE user_id = \(userID) AND known_at < \(now.advanced(by: .zero - TopicRecord.memory)))
            """)
    }

    /// Has what a person watches looked up at once if its last lookup ended without an answer.
    func retryRefreshes(userID: String, now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE concert_refreshes SET next_at = \(now), failure = NULL WHERE failure IS NOT NULL AND subject_key IN (
                SELECT concert_watches.subject_key FROM concert_watches WHERE user_id = \(userID))
            """)
        transaction.recordChange(of: [userID], topic: .feedRefresh)
    }

    func postponeRefresh(of subjectKey: String, until next: Timestamp) throws {
        try transaction.run("UPDATE concert_refreshes SET next_at = \(next) WHERE subject_key = \(subjectKey)")
    }

    /// Records how the last lookup of a subject ended.
    ///
    /// - Parameter failure: why there is no answer; `nil` when there is one.
    func endRefresh(of subjectKey: String, failure: ConcertWarningCode?) throws {
        let known = try transaction.execute(
            "UPDATE concert_refreshes SET failure = \(failure?.rawValue) WHERE subject_key = \(subjectKey)")
        if known == 1 { try recordRefreshChange(ofSubject: subjectKey) }
    }

    /// Records that a lookup has ended without an answer for the subjects that still wait for it.
    func failRefreshes(ofLookup jobID: String, _ failure: ConcertWarningCode) throws {
        let keys = try transaction.rows("SELECT subject_key FROM concert_subjects WHERE job_id = \(jobID)")
            .map { try $0["subject_key"] as String }
        for key in keys { try endRefresh(of: key, failure: failure) }
    }

    /// Whether a lookup refreshes a subject that somebody watches.
    func isRefresh(jobID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM concert_subjects
                JOIN concert_refreshes ON concert_refreshes.subject_key = concert_subjects.subject_key
            WHERE job_id = \(jobID) LIMIT 1
            """) != nil
    }

    func removeRefresh(of subjectKey: String) throws {
        try transaction.run("DELETE FROM concert_refreshes WHERE subject_key = \(subjectKey)")
    }

    /// Adds to the calls of a day, and forgets earlier days.
    ///
    /// - Parameter day: in days since 1970.
    func addRefreshCalls(_ calls: Int, onDay day: Int) throws {
        try transaction.run("DELETE FROM concert_refresh_days WHERE day < \(day)")
        try transaction.run(
            """
            INSERT INTO concert_refresh_days (day, calls) VALUES (\(day), \(calls))
            ON CONFLICT (day) DO UPDATE SET calls = concert_refresh_days.calls + excluded.calls
            """)
    }

    /// Notifies people who wait for the first lookup of a subject of how far it is, at most a hundred of them: the pages
    /// of the others show it when they next read the feed.
    func recordRefreshChange(ofSubject key: String) throws {
        let people = try transaction.rows(
            """
            SELECT user_id FROM concert_watches WHERE subject_key = \(key) AND settled_at IS NULL
            ORDER BY user_id LIMIT 100
            """
        ).map { try $0["user_id"] as String }
        if !people.isEmpty { transaction.recordChange(of: people, topic: .feedRefresh) }
    }
}

/// How far the first lookups of what a person watches are: of the artists, or of the city.
package struct RefreshProgress: Hashable, Sendable {
    package enum State: Sendable { case waiting, running, done, failed }

    package private(set) var done = 0
    package private(set) var total = 0
    /// When the last of them ended.
    package private(set) var endedAt: Timestamp?
    /// Why the latest lookups, the first or later ones, have no answer.
    package private(set) var failures: Set<ConcertWarningCode> = []
    private var running = 0
    private var failed = 0

    package init() {}

    /// Counts a topic.
    ///
    /// - Parameters:
    ///   - settledAt: when the person got its coming shows.
    ///   - failure: why the last lookup has no answer.
    ///   - isUnderWay: whether a lookup waits or runs.
    mutating func add(settledAt: Timestamp?, failure: ConcertWarningCode?, isRunning: Bool, isUnderWay: Bool) {
        total += 1
        if let failure, !isUnderWay { failures.insert(failure) }
        if let settledAt {
            done += 1
            endedAt = max(endedAt ?? settledAt, settledAt)
        } else if isRunning {
            running += 1
        } else if failure != nil, !isUnderWay {
            failed += 1
        }
    }

    package var state: State {
        if done == total { return .done }
        if done + failed == total { return .failed }
        return running > 0 || done + failed > 0 ? .running : .waiting
    }
}
