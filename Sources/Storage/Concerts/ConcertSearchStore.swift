import Model

/// A search, as it was asked for.
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

/// One artist of a search, or its area.
package struct ConcertSearchSubjectRecord: Sendable {
    package var rank: Int
    package var artistID: String
    package var name: String
    package var subjectKey: String
    /// `nil` until it is known.
    package var status: String?
    package var warningCode: String?
    package var resetsAt: Timestamp?
    /// The lookup it waits for.
    package var jobID: String?

    package init(
        rank: Int, artistID: String, name: String, subjectKey: String, status: String? = nil,
        warningCode: String? = nil, jobID: String? = nil
    ) {
        self.rank = rank
        self.artistID = artistID
        self.name = name
        self.subjectKey = subjectKey
        self.status = status
        self.warningCode = warningCode
        self.jobID = jobID
    }

    init(row: Row) throws {
        rank = try row["rank"]
        artistID = try row["artist_id"]
        name = try row["name"]
        subjectKey = try row["subject_key"]
        status = try row["status"]
        warningCode = try row["warning_code"]
        resetsAt = try row["resets_at"]
        jobID = try row["job_id"]
    }
}

extension SQLReader {
    package func concertSearch(id: String, userID: String) throws -> ConcertSearchRecord? {
        try row("SELECT \(ConcertSearchRecord.columns) FROM concert_searches WHERE id = \(id) AND user_id = \(userID)")
            .map(ConcertSearchRecord.init)
    }

    /// A user's searches of a kind, newest first, from the one after `cursor` on.
    package func concertSearches(
        userID: String, kind: String, after cursor: String?, limit: Int
    ) throws -> [ConcertSearchRecord] {
        let isOlder: SQL = cursor.map { "AND id < \($0)" } ?? ""
        return try rows(
            """
            SELECT \(ConcertSearchRecord.columns) FROM concert_searches
            WHERE user_id = \(userID) AND kind = \(kind) \(isOlder) ORDER BY id DESC LIMIT \(limit)
            """
        ).map(ConcertSearchRecord.init)
    }

    /// A user's searches that changed after `change`, in the order in which they did.
    package func concertSearches(userID: String, changedAfter change: Int64, limit: Int) throws
        -> [ConcertSearchRecord]
    {
        try rows(
            """
            SELECT \(ConcertSearchRecord.columns) FROM concert_searches
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ).map(ConcertSearchRecord.init)
    }

    package func concertSearchSubjects(searchID: String) throws -> [ConcertSearchSubjectRecord] {
        try rows(
            """
            SELECT rank, artist_id, name, subject_key, status, warning_code, resets_at, job_id
            FROM concert_search_subjects WHERE search_id = \(searchID) ORDER BY rank
            """
        ).map(ConcertSearchSubjectRecord.init)
    }

    /// A user's search that waits for a lookup.
    package func concertSearch(waitingFor jobID: String, userID: String) throws -> String? {
        try row(
            """
            SELECT search_id FROM concert_search_subjects
                JOIN concert_searches ON concert_searches.id = search_id
            WHERE concert_search_subjects.job_id = \(jobID) AND user_id = \(userID) LIMIT 1
            """
        ).map { try $0["search_id"] }
    }

    /// Whose searches wait for a lookup, those who have waited longest first; people who never set the provider up are
    /// left out, since a popular artist may have most people waiting.
    package func concertWaiters(jobID: String, connectedTo provider: String) throws -> [String] {
        try rows(
            """
            SELECT concert_searches.user_id, MIN(search_id) AS first_search
            FROM concert_search_subjects JOIN concert_searches ON concert_searches.id = search_id
            JOIN connections ON connections.user_id = concert_searches.user_id AND connections.provider = \(provider)
            WHERE concert_search_subjects.job_id = \(jobID)
            GROUP BY concert_searches.user_id ORDER BY first_search
            """
        ).map { try $0["user_id"] }
    }

    /// Whether any search waits for a lookup.
    package func hasConcertWaiters(jobID: String) throws -> Bool {
        try row("SELECT 1 FROM concert_search_subjects WHERE job_id = \(jobID) LIMIT 1") != nil
    }

    /// Lookups that searches wait for although they have ended without telling them.
    package func endedConcertLookups() throws -> [String] {
        try rows(
            """
            SELECT DISTINCT job_id FROM concert_search_subjects WHERE job_id IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM jobs WHERE jobs.id = job_id AND jobs.finished_at IS NULL)
            """
        ).map { try $0["job_id"] }
    }
}

extension WriteTransaction {
    package func insertConcertSearch(_ search: ConcertSearchRecord) throws {
        try execute(
            """
            INSERT INTO concert_searches (id, user_id, kind, home_city, created_at, change)
            VALUES (\(search.id), \(search.userID), \(search.kind), \(search.homeCity), \(search.createdAt),
                \(try nextChange()))
            """)
    }

    /// Inserts a subject of a search, or puts it in place of the one of that rank.
    package func setConcertSearchSubject(_ subject: ConcertSearchSubjectRecord, searchID: String) throws {
        try execute(
            """
            INSERT INTO concert_search_subjects
                (search_id, rank, artist_id, name, subject_key, status, warning_code, resets_at, job_id)
            VALUES (\(searchID), \(subject.rank), \(subject.artistID), \(subject.name), \(subject.subjectKey),
                \(subject.status), \(subject.warningCode), \(subject.resetsAt), \(subject.jobID))
            ON CONFLICT (search_id, rank) DO UPDATE SET status = excluded.status, warning_code = excluded.warning_code,
                resets_at = excluded.resets_at, job_id = excluded.job_id
            """)
    }

    /// Marks a search as changed, for event streams.
    package func touchConcertSearch(id: String) throws {
        try execute("UPDATE concert_searches SET change = \(try nextChange()) WHERE id = \(id)")
    }

    /// Tells all searches that wait for a subject of a lookup how it ended; returns their ids.
    ///
    /// - Parameters:
    ///   - userID: whose searches; everybody's when it is `nil`.
    ///   - subjectKey: every subject of the lookup when it is `nil`.
    package func settleConcertWaiters(
        jobID: String, userID: String? = nil, subjectKey: String?, status: String, warningCode: String?,
        resetsAt: Timestamp?
    ) throws -> [String] {
        let ofSubject: SQL = subjectKey.map { "AND subject_key = \($0)" } ?? ""
        let ofUser: SQL =
            userID.map { "AND search_id IN (SELECT id FROM concert_searches WHERE user_id = \($0))" } ?? ""
        let told = try rows(
            """
            UPDATE concert_search_subjects SET status = \(status), warning_code = \(warningCode),
                resets_at = \(resetsAt), job_id = NULL
            WHERE job_id = \(jobID) \(ofSubject) \(ofUser) RETURNING search_id
            """
        ).map { try $0["search_id"] as String }
        return Array(Set(told)).sorted()
    }

    /// Cancels a search; returns the lookups it waited for. `nil` when the user has none of that id.
    package func cancelConcertSearch(id: String, userID: String, now: Timestamp) throws -> [String]? {
        let changed = try execute(
            """
            UPDATE concert_searches SET cancelled_at = COALESCE(cancelled_at, \(now)), change = \(try nextChange())
            WHERE id = \(id) AND user_id = \(userID)
            """)
        guard changed == 1 else { return nil }
        let jobs = try rows(
            "SELECT DISTINCT job_id FROM concert_search_subjects WHERE search_id = \(id) AND job_id IS NOT NULL"
        ).map { try $0["job_id"] as String }
        try execute("UPDATE concert_search_subjects SET job_id = NULL WHERE search_id = \(id)")
        return jobs
    }

    package func reopenConcertSearch(id: String) throws {
        try execute("UPDATE concert_searches SET cancelled_at = NULL, change = \(try nextChange()) WHERE id = \(id)")
    }

    /// Deletes searches made before `cutoff`; returns how many.
    package func pruneConcertSearches(createdBefore cutoff: Timestamp, limit: Int) throws -> Int {
        let old = try rows(
            "SELECT id FROM concert_searches WHERE id < \(UUIDv7.lowerBound(of: cutoff)) ORDER BY id LIMIT \(limit)"
        ).map { try $0["id"] as String }
        for id in old {
            try execute("DELETE FROM concert_search_subjects WHERE search_id = \(id)")
            try execute("DELETE FROM concert_searches WHERE id = \(id)")
        }
        return old.count
    }
}
