import Model

/// What is exported of a table that has rows of people.
package struct PersonalTable: Sendable {
    package enum Kind: Sendable {
        case text, number, flag, time
        /// Text that is JSON.
        case json
    }

    package struct Column: Sendable {
        /// As the archive names it.
        package let member: StaticString
        package let kind: Kind
        let name: StaticString

        init(_ name: StaticString, _ member: StaticString, _ kind: Kind = .text) {
            (self.name, self.member, self.kind) = (name, member, kind)
        }
    }

    /// The table's name.
    package let name: String
    /// As the archive names it.
    package let member: StaticString
    package let columns: [Column]
    /// The tables and whose rows count; a user's id follows.
    private let source: StaticString
    /// What orders the rows of a user.
    private let keys: [StaticString]

    /// A page of a user's rows in their order.
    ///
    /// - Parameters:
    ///   - after: the last row of the page before.
    ///   - limit: the most rows.
    ///   - maximumBytes: where a page ends earlier, since payloads and results may be large; it has one row however
    ///     large.
    /// - Returns: none when there are no more.
    package func page(
        of userID: String, after last: Row?, limit: Int, maximumBytes: Int, in reader: ReadTransaction
    ) throws -> [Row] {
        var sql: SQL = "SELECT "
        for (index, column) in columns.enumerated() { sql = sql + (index == 0 ? "" : ", ") + SQL(column.name) }
        for (index, key) in keys.enumerated() { sql = sql + ", " + SQL(key) + SQL(stringLiteral: " AS key_\(index)") }
        sql = sql + " FROM " + SQL(source) + " = \(userID)"
        let order = keys.dropFirst().reduce(keys.first.map { SQL($0) } ?? "") { $0 + ", " + SQL($1) }
        if let last {
            let values = last.values.suffix(keys.count)
            let bound = values.dropFirst().reduce(values.first.map { "\($0)" as SQL } ?? "") { $0 + ", \($1)" }
            sql = sql + " AND (" + order + ") > (" + bound + ")"
        }
        return try reader.rows(sql + " ORDER BY " + order + " LIMIT \(limit)", maximumBytes: maximumBytes).rows
    }

    /// A column's value in one of this table's rows.
    package func value(_ index: Int, of row: Row) -> SQLValue { row.values[index] }

    /// Tables with rows of people of which nothing is exported, and why.
    package static let unexported: [String: String] = [
        "job_counts": "counted from jobs",
        "sign_in_links": "secret, and over within ten minutes",
        "credential_candidates": "secret, and over within two minutes",
        "authorizations": "secret, and over within ten minutes",
        "job_ends": "what ended jobs still owe, written within minutes",
        "change_log": "only numbers that order changes",
        "domain_schedules": "derived from what the person turned on",
    ]

    package static let all: [PersonalTable] = [
        PersonalTable(
            name: "users", member: "profile",
            columns: [
                Column("id", "id"), Column("name", "username"), Column("display_name", "displayName"),
                Column("bio", "bio"), Column("picture_url", "pictureURL"), Column("home_city", "homeCity"),
                Column("email", "email"), Column("google_subject", "googleSubject"),
                Column("profile_visibility", "profileVisibility"),
                Column("show_listening_stats", "showListeningStats", .flag), Column("is_admin", "isAdmin", .flag),
                Column("created_at", "createdAt", .time), Column("updated_at", "updatedAt", .time),
            ], source: "users WHERE id", keys: ["id"]),
        PersonalTable(
            name: "tokens", member: "tokens",
            columns: [
                Column("id", "id"), Column("name", "name"), Column("created_at", "createdAt", .time),
                Column("last_used_at", "lastUsedAt", .time), Column("expires_at", "expiresAt", .time),
            ], source: "tokens WHERE user_id", keys: ["id"]),
        PersonalTable(
            name: "sessions", member: "sessions",
            columns: [
                Column("id", "id"), Column("user_agent", "userAgent"), Column("created_at", "createdAt", .time),
                Column("last_used_at", "lastUsedAt", .time), Column("expires_at", "expiresAt", .time),
            ], source: "sessions WHERE user_id", keys: ["id"]),
        PersonalTable(
            name: "secrets", member: "secrets",
            columns: [
                Column("provider", "provider"), Column("field", "field"), Column("hint", "hint"),
                Column("updated_at", "updatedAt", .time),
            ], source: "secrets WHERE user_id", keys: ["provider", "field"]),
        PersonalTable(
            name: "connections", member: "connections",
            columns: [
                Column("provider", "provider"), Column("state", "state"), Column("reason", "reason"),
                Column("account_id", "accountID"), Column("account_name", "accountName"), Column("scopes", "scopes"),
                Column("authorized_at", "authorizedAt", .time), Column("renew_by", "renewBy", .time),
                Column("updated_at", "updatedAt", .time),
            ], source: "connections WHERE user_id", keys: ["provider"]),
        PersonalTable(
            name: "ranked_artists", member: "artists",
            columns: [Column("id", "id"), Column("rank", "rank", .number), Column("name", "name")],
            source: "ranked_artists WHERE user_id", keys: ["id"]),
        PersonalTable(
            name: "concert_searches", member: "concertSearches",
            columns: [
                Column("id", "id"), Column("kind", "kind"), Column("home_city", "homeCity"),
                Column("created_at", "createdAt", .time), Column("cancelled_at", "cancelledAt", .time),
            ], source: "concert_searches WHERE user_id", keys: ["id"]),
        PersonalTable(
            name: "concert_search_subjects", member: "concertSearchSubjects",
            columns: [
                Column("search_id", "searchID"), Column("rank", "rank", .number), Column("name", "name"),
                Column("status", "status"), Column("warning_code", "warningCode"),
            ],
            source: """
                concert_search_subjects JOIN concert_searches ON concert_searches.id = concert_search_subjects.search_id
                WHERE concert_searches.user_id
                """, keys: ["search_id", "rank"]),
        PersonalTable(
            name: "jobs", member: "jobs",
            columns: [
                Column("id", "id"), Column("kind", "kind"), Column("payload", "payload", .json),
                Column("state", "state"), Column("priority", "priority", .number),
                Column("attempt", "attempt", .number), Column("created_at", "createdAt", .time),
                Column("run_at", "runAt", .time), Column("started_at", "startedAt", .time),
                Column("finished_at", "finishedAt", .time), Column("result", "result", .json),
                Column("error_code", "errorCode"), Column("error_message", "errorMessage"),
                Column("unique_key", "uniqueKey"),
            ], source: "jobs WHERE is_ephemeral = 0 AND user_id", keys: ["id"]),
        PersonalTable(
            name: "job_attempts", member: "jobAttempts",
            columns: [
                Column("job_attempts.job_id", "jobID"), Column("job_attempts.run", "run", .number),
                Column("job_attempts.attempt", "attempt", .number),
                Column("job_attempts.started_at", "startedAt", .time),
                Column("job_attempts.finished_at", "finishedAt", .time),
                Column("job_attempts.error_code", "errorCode"), Column("job_attempts.error_message", "errorMessage"),
            ],
            source: """
                job_attempts JOIN jobs ON jobs.id = job_attempts.job_id WHERE jobs.is_ephemeral = 0 AND jobs.user_id
                """,
            keys: ["job_attempts.job_id", "job_attempts.run"]),
        PersonalTable(
            name: "idempotency_keys", member: "idempotencyKeys",
            columns: [
                Column("key", "key"), Column("resource_ids", "resourceIDs"), Column("created_at", "createdAt", .time),
            ], source: "idempotency_keys WHERE user_id", keys: ["key"]),
    ]
}
