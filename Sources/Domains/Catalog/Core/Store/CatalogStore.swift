import Model
import Storage

/// Stored answers of services' catalogs, read or written in a transaction: `transaction.catalog`.
package struct CatalogStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var catalog: CatalogStore<Self> { CatalogStore(transaction: self) }
}

extension CatalogStore {
    /// The answer to a question for everybody; `nil` when there is none, or it has expired.
    package func answer(to question: CatalogQuestion, now: Timestamp) throws -> CatalogAnswer? {
        precondition(!question.isPersonal, "The answer is for one person alone")
        // An answer from the future was stored while the clock was ahead.
        return try transaction.row(
            """
            SELECT answer FROM catalog_answers
            WHERE answer_key = \(question.key) AND fetched_at <= \(now) AND expires_at > \(now)
            """
        ).map { try CatalogAnswer(storage: try $0["answer"]) }
    }

    /// The answer to a person's question; `nil` when there is none, it has expired, or it came from another account.
    ///
    /// - Parameter account: the consent with which the service would be asked now.
    package func answer(
        to question: CatalogQuestion, userID: String, account: String, now: Timestamp
    ) throws -> CatalogAnswer? {
        try transaction.row(
            """
            SELECT answer FROM catalog_personal_answers
            WHERE user_id = \(userID) AND answer_key = \(question.key) AND account = \(account)
                AND fetched_at <= \(now) AND expires_at > \(now)
            """
        ).map { try CatalogAnswer(storage: try $0["answer"]) }
    }
}

extension CatalogStore {
    /// The most answers for everybody, and the most for one person. The oldest are removed first.
    package static var capacity: (shared: Int, personal: Int) { (5_000, 100) }

    /// Whether ``prune(at:limit:)`` or ``trim(limit:)`` has anything to do.
    package func isPruningDue(at time: PruningTime) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS due WHERE EXISTS (SELECT 1 FROM catalog_answers WHERE expires_at <= \(time.moment))
                OR EXISTS (SELECT 1 FROM catalog_personal_answers WHERE expires_at <= \(time.moment))
                OR (SELECT COUNT(*) FROM catalog_answers) > \(Self.capacity.shared)
            """) != nil
    }
}

extension CatalogStore where Access == WriteTransaction {
    package func store(_ answer: CatalogAnswer, to question: CatalogQuestion, now: Timestamp) throws {
        precondition(!question.isPersonal, "The answer is for one person alone")
        try transaction.run(
            """
            INSERT INTO catalog_answers (answer_key, answer, fetched_at, expires_at)
            VALUES (\(question.key), \(try answer.storage), \(now), \(now.advanced(by: question.lifetime(of: answer))))
            ON CONFLICT (answer_key) DO UPDATE SET answer = excluded.answer, fetched_at = excluded.fetched_at,
                expires_at = excluded.expires_at
            """)
    }

    package func store(
        _ answer: CatalogAnswer, to question: CatalogQuestion, userID: String, account: String, now: Timestamp
    ) throws {
        try transaction.run(
            """
            INSERT INTO catalog_personal_answers (user_id, answer_key, account, answer, fetched_at, expires_at)
            VALUES (\(userID), \(question.key), \(account), \(try answer.storage), \(now),
                \(now.advanced(by: question.lifetime(of: answer))))
            ON CONFLICT (user_id, answer_key) DO UPDATE SET account = excluded.account, answer = excluded.answer,
                fetched_at = excluded.fetched_at, expires_at = excluded.expires_at
            """)
        try transaction.run(
            """
            DELETE FROM catalog_personal_answers WHERE user_id = \(userID) AND answer_key IN (
                SELECT answer_key FROM catalog_personal_answers WHERE user_id = \(userID)
                ORDER BY fetched_at DESC, answer_key LIMIT \(Int.max) OFFSET \(Self.capacity.personal))
            """)
    }

    /// Deletes a person's answers from all services, after one of their accounts was disconnected or replaced.
    package func deleteAnswers(ofUser userID: String) throws {
        try transaction.run("DELETE FROM catalog_personal_answers WHERE user_id = \(userID)")
    }

    /// Deletes expired answers.
    ///
    /// - Parameter limit: the most answers for everybody, and the most personal answers.
    /// - Returns: the larger of both numbers.
    package func prune(at time: PruningTime, limit: Int) throws -> Int {
        let shared = try transaction.execute(
            """
            DELETE FROM catalog_answers WHERE answer_key IN (
                SELECT answer_key FROM catalog_answers WHERE expires_at <= \(time.moment) LIMIT \(limit))
            """)
        let personal = try transaction.execute(
            """
            DELETE FROM catalog_personal_answers WHERE (user_id, answer_key) IN (
                SELECT user_id, answer_key FROM catalog_personal_answers
                WHERE expires_at <= \(time.moment) LIMIT \(limit))
            """)
        return max(shared, personal)
    }

    /// Deletes the answers for everybody beyond ``capacity``, those that expire first.
    ///
    /// - Returns: how many were deleted.
    package func trim(limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM catalog_answers WHERE answer_key IN (
                SELECT answer_key FROM catalog_answers ORDER BY expires_at DESC, answer_key
                LIMIT \(limit) OFFSET \(Self.capacity.shared))
            """)
    }
}
