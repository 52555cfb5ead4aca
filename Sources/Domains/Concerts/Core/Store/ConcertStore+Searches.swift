import JobStorage
import Model
import Storage

/// A row of `concert_searches`.
package struct ConcertSearchRecord: Sendable {
    package var id: String
    package var userID: String
    /// `artists` or `nearby`.
    package var kind: String
    package var homeCity: String?
    package var createdAt: Timestamp
    package var cancelledAt: Timestamp?
    package var change: Int64

    package init(id: String, userID: String, kind: String, homeCity: String?, createdAt: Timestamp) {
        self.id = id
        self.userID = userID
        self.kind = kind
        self.homeCity = homeCity
        self.createdAt = createdAt
        change = 0
    }

    static let columns = SQL("id, user_id, kind, home_city, created_at, cancelled_at, change")

    init(row: Row) throws {
        id = try row["id"]
        userID = try row["user_id"]
        kind = try row["kind"]
        homeCity = try row["home_city"]
        createdAt = try row["created_at"]
        cancelledAt = try row["cancelled_at"]
        change = try row["change"]
    }
}

/// An artist or the area of a search: a row of `concert_search_subjects`.
package struct SearchTargetRecord: Sendable {
    package var rank: Int
    package var artistID: String
    package var name: String
    package var targetKey: String
    /// The coverage of the answer (``SearchOutcome/Coverage``); `nil` until there is one.
    package var status: String?
    package var warningCode: String?
    package var resetsAt: Timestamp?
    /// The lookup that the target waits for.
    package var jobID: String?

    package init(
        rank: Int, artistID: String, name: String, targetKey: String, status: String? = nil,
        warningCode: String? = nil, jobID: String? = nil
    ) {
        self.rank = rank
        self.artistID = artistID
        self.name = name
        self.targetKey = targetKey
        self.status = status
        self.warningCode = warningCode
        self.jobID = jobID
    }

    init(row: Row) throws {
        rank = try row["rank"]
        artistID = try row["artist_id"]
        name = try row["name"]
        targetKey = try row["subject_key"]
        status = try row["status"]
        warningCode = try row["warning_code"]
        resetsAt = try row["resets_at"]
        jobID = try row["job_id"]
    }
}

extension ConcertStore {
    package func search(id: String, userID: String) throws -> ConcertSearchRecord? {
        try transaction.row(
            "SELECT \(ConcertSearchRecord.columns) FROM concert_searches WHERE id = \(id) AND user_id = \(userID)"
        )
        .map(ConcertSearchRecord.init)
    }

    /// A user's searches of a kind after `cursor`, newest first (``ConcertLists/searches``).
    package func searches(
        userID: String, kind: String, after cursor: Cursor<RowID>?, limit: Int
    ) throws -> [ConcertSearchRecord] {
        try transaction.rows(
            """
            SELECT \(ConcertSearchRecord.columns) FROM concert_searches
            WHERE user_id = \(userID) AND kind = \(kind) \(ConcertLists.searches.following(cursor))
            ORDER BY \(ConcertLists.searches.order) LIMIT \(limit)
            """
        ).map(ConcertSearchRecord.init)
    }

    /// A user's searches that changed after `change`, in the order of their changes.
    package func searches(userID: String, changedAfter change: Int64, limit: Int) throws
        -> [ConcertSearchRecord]
    {
        try transaction.rows(
            """
            SELECT \(ConcertSearchRecord.columns) FROM concert_searches
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ).map(ConcertSearchRecord.init)
    }

    /// How many of a user's searches changed after `change`, counted up to `limit`.
    package func countOfSearches(userID: String, changedAfter change: Int64, limit: Int) throws -> Int {
        try transaction.row(Self.count(ofUser: userID, changedAfter: change, limit: limit))?["count"] ?? 0
    }

    static func count(ofUser userID: String, changedAfter change: Int64, limit: Int) -> SQL {
        """
        SELECT COUNT(*) AS count FROM (
            SELECT 1 FROM concert_searches WHERE user_id = \(userID) AND change > \(change) LIMIT \(limit)) AS changed
        """
    }

    package func searchTargets(searchID: String) throws -> [SearchTargetRecord] {
        try transaction.rows(
            """
            SELECT rank, artist_id, name, subject_key, status, warning_code, resets_at, job_id
            FROM concert_search_subjects WHERE search_id = \(searchID) ORDER BY rank
            """
        ).map(SearchTargetRecord.init)
    }

    /// A user's search that waits for a lookup.
    package func search(waitingFor jobID: String, userID: String) throws -> String? {
        try transaction.row(
            """
            SELECT search_id FROM concert_search_subjects
                JOIN concert_searches ON concert_searches.id = search_id
            WHERE concert_search_subjects.job_id = \(jobID) AND user_id = \(userID) LIMIT 1
            """
        ).map { try $0["search_id"] }
    }

    /// The people whose searches wait for a lookup, in the order of their waiting time, longest first.
    ///
    /// - Parameter people: the people to return. It is part of the statement because most people may wait for a popular
    ///   artist.
    package func waiters(jobID: String, among people: PeopleCondition) throws -> [String] {
        try transaction.rows(
            """
            SELECT concert_searches.user_id, MIN(waits_since) AS since, MIN(search_id) AS first_search
            FROM concert_search_subjects JOIN concert_searches ON concert_searches.id = search_id
            WHERE concert_search_subjects.job_id = \(jobID) AND \(people.of("concert_searches.user_id"))
            GROUP BY concert_searches.user_id ORDER BY since, first_search
            """
        ).map { try $0["user_id"] }
    }

    /// The person who has waited longest for a lookup; `nil` when nobody waits.
    ///
    /// - Parameter people: the people to leave out.
    package func firstWaiter(jobID: String, without people: PeopleCondition? = nil) throws -> String? {
        let others: SQL = people.map { "AND NOT \($0.of("concert_searches.user_id"))" } ?? ""
        return try transaction.row(
            """
            SELECT concert_searches.user_id FROM concert_search_subjects
                JOIN concert_searches ON concert_searches.id = search_id
            WHERE concert_search_subjects.job_id = \(jobID) \(others)
            ORDER BY waits_since, search_id LIMIT 1
            """
        ).map { try $0["user_id"] }
    }

    /// The ids of a person's searches of any kind, oldest first.
    func searches(ofUser userID: String, limit: Int) throws -> [String] {
        try transaction.rows("SELECT id FROM concert_searches WHERE user_id = \(userID) ORDER BY id LIMIT \(limit)")
            .map { try $0["id"] }
    }
}

extension ConcertStore where Access == WriteTransaction {
    package func insertSearch(_ search: ConcertSearchRecord) throws {
        try transaction.run(
            """
            INSERT INTO concert_searches (id, user_id, kind, home_city, created_at, change)
            VALUES (\(search.id), \(search.userID), \(search.kind), \(search.homeCity), \(search.createdAt),
                \(try transaction.nextChange()))
            """)
        transaction.recordChange(of: [search.userID], topic: .concerts)
    }

    /// Inserts a target of a search, or replaces the target with this rank. A target with a lookup waits for it from
    /// now on, after all that are already waiting.
    package func setSearchTarget(_ target: SearchTargetRecord, searchID: String) throws {
        let waitsSince = target.jobID == nil ? 0 : try transaction.nextChange()
        try transaction.run(
            """
            INSERT INTO concert_search_subjects
                (search_id, rank, artist_id, name, subject_key, status, warning_code, resets_at, job_id, waits_since)
            VALUES (\(searchID), \(target.rank), \(target.artistID), \(target.name), \(target.targetKey),
                \(target.status), \(target.warningCode), \(target.resetsAt), \(target.jobID), \(waitsSince))
            ON CONFLICT (search_id, rank) DO UPDATE SET status = excluded.status, warning_code = excluded.warning_code,
                resets_at = excluded.resets_at, job_id = excluded.job_id, waits_since = excluded.waits_since
            """)
    }

    /// Gives a search a new change number for event streams, and updates `is_running`.
    package func touchSearch(id: String) throws {
        let owners = try transaction.rows(
            """
            UPDATE concert_searches SET change = \(try transaction.nextChange()), is_running = \(Self.isWaiting)
            WHERE id = \(id) RETURNING user_id
            """)
        transaction.recordChange(of: try owners.map { try $0["user_id"] }, topic: .concerts)
    }

    /// Completes the targets of searches that wait for a lookup.
    ///
    /// - Parameters:
    ///   - userID: the person whose searches are completed; `nil` means all people.
    ///   - targetKey: the target that has the answer; `nil` means all targets of the lookup.
    /// - Returns: the ids of the searches. Their change numbers are not updated (``touchSearch(id:)``).
    package func completeWaiters(
        jobID: String, userID: String? = nil, targetKey: String?, status: String, warningCode: String?,
        resetsAt: Timestamp?
    ) throws -> [String] {
        let ofTarget: SQL = targetKey.map { "AND subject_key = \($0)" } ?? ""
        let ofUser: SQL =
            userID.map { "AND search_id IN (SELECT id FROM concert_searches WHERE user_id = \($0))" } ?? ""
        let told = try transaction.rows(
            """
            UPDATE concert_search_subjects SET status = \(status), warning_code = \(warningCode),
                resets_at = \(resetsAt), job_id = NULL
            WHERE job_id = \(jobID) \(ofTarget) \(ofUser) RETURNING search_id
            """
        ).map { try $0["search_id"] as String }
        return Array(Set(told)).sorted()
    }

    /// Cancels a search.
    ///
    /// - Returns: the lookups it waited for; `nil` when the user has no such search.
    package func cancelSearch(id: String, userID: String, now: Timestamp) throws -> [String]? {
        let changed = try transaction.execute(
            """
            UPDATE concert_searches SET cancelled_at = COALESCE(cancelled_at, \(now)), is_running = 0,
                change = \(try transaction.nextChange())
            WHERE id = \(id) AND user_id = \(userID)
            """)
        guard changed == 1 else { return nil }
        transaction.recordChange(of: [userID], topic: .concerts)
        let jobs = try lookups(ofSearch: id)
        try transaction.run("UPDATE concert_search_subjects SET job_id = NULL WHERE search_id = \(id)")
        return jobs
    }

    /// The lookups that a search waits for.
    private func lookups(ofSearch id: String) throws -> [String] {
        try transaction.rows(
            """
            SELECT DISTINCT job_id FROM concert_search_subjects
            WHERE search_id = \(id) AND job_id IS NOT NULL ORDER BY job_id
            """
        ).map { try $0["job_id"] }
    }

    package func reopenSearch(id: String) throws {
        try transaction.run("UPDATE concert_searches SET cancelled_at = NULL WHERE id = \(id)")
        try touchSearch(id: id)
    }

    /// Deletes searches together with their targets.
    ///
    /// - Returns: the lookups that they waited for.
    func deleteSearches(_ ids: [String], as ending: FinalState) throws -> [String] {
        var jobs: Set<String> = []
        for id in ids {
            jobs.formUnion(try lookups(ofSearch: id))
            try transaction.run("DELETE FROM concert_search_subjects WHERE search_id = \(id)")
            let owner: String? = try transaction.row("SELECT user_id FROM concert_searches WHERE id = \(id)")?[
                "user_id"]
            try transaction.run("DELETE FROM concert_searches WHERE id = \(id)")
            // Whoever is erased has no programs left that show it.
            if let owner, ending != .erased {
                try transaction.recordGone(.concertSearch, ids: [id], userID: owner)
            }
        }
        return jobs.sorted()
    }

    /// The ids of searches created before `cutoff`, oldest first.
    func searches(createdBefore cutoff: PruningTime, limit: Int) throws -> [String] {
        try transaction.rows(
            """
            SELECT id FROM concert_searches WHERE id < \(UUIDv7.lowerBound(of: cutoff.moment))
            ORDER BY id LIMIT \(limit)
            """
        ).map { try $0["id"] }
    }
}
