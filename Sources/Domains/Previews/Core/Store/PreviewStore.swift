import Contracts
import Crypto
import Model
import Platform
import Storage

/// The SQL of previews: the answers from iTunes, shared by everybody, without a record of who asked.
package struct PreviewStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var previews: PreviewStore<Self> { PreviewStore(transaction: self) }
}

/// An answer from iTunes.
package struct StoredPreview: Sendable, Equatable {
    /// `nil` when the store has none.
    package var url: String?
    package var foundAt: Timestamp

    /// How long the address of a preview is used.
    package static let lifetime = Duration.seconds(7 * 86_400)
    /// How long iTunes is not asked again for a song without a preview.
    package static let lifetimeOfNone = Duration.seconds(2 * 86_400)
    /// The most answers that are stored.
    package static let capacity = 50_000

    package init(url: String?, foundAt: Timestamp) {
        self.url = url
        self.foundAt = foundAt
    }

    package func isFresh(at now: Timestamp) -> Bool {
        foundAt.advanced(by: url == nil ? Self.lifetimeOfNone : Self.lifetime) > now
    }
}

extension PreviewStore {
    /// The answer to a question, if it is fresh at a given time.
    package func answer(to question: PreviewQuestion, at now: Timestamp) throws -> StoredPreview? {
        let found = try transaction.rows(
            "SELECT url, found_at FROM previews WHERE question = \(question.key)"
        ).map { StoredPreview(url: try $0["url"], foundAt: try $0["found_at"]) }.first
        return found.flatMap { $0.isFresh(at: now) ? $0 : nil }
    }
}

extension PreviewStore where Access == WriteTransaction {
    package func put(_ answer: StoredPreview, to question: PreviewQuestion) throws {
        try transaction.run(
            """
            INSERT INTO previews (question, url, found_at)
            VALUES (\(question.key), \(answer.url), \(answer.foundAt))
            ON CONFLICT (question) DO UPDATE SET url = excluded.url, found_at = excluded.found_at
            """)
    }

    /// Deletes answers that are no longer used, the oldest first.
    ///
    /// - Returns: how many were deleted.
    package func prune(foundBefore cutoff: PruningTime, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM previews WHERE question IN (
                SELECT question FROM previews WHERE found_at < \(cutoff.moment) ORDER BY found_at LIMIT \(limit))
            """)
    }

    /// Deletes the oldest answers beyond ``StoredPreview/capacity``.
    ///
    /// - Returns: how many were deleted.
    package func limit(to capacity: Int = StoredPreview.capacity, atOnce limit: Int) throws -> Int {
        let count: Int = try transaction.rows("SELECT COUNT(*) AS n FROM previews").first.map { try $0["n"] } ?? 0
        guard count > capacity else { return 0 }
        return try transaction.execute(
            """
            DELETE FROM previews WHERE question IN (
                SELECT question FROM previews ORDER BY found_at LIMIT \(min(limit, count - capacity)))
            """)
    }
}

extension PreviewQuestion {
    /// Equal for questions with the same answer. It is a hash, so that the table is small and does not reveal what
    /// people play.
    fileprivate var key: String {
        let parts = [
            FoldedText.words(of: title).joined(separator: " "), FoldedText.words(of: artist).joined(separator: " "),
            durationMs.map(String.init) ?? "", appleMusicID ?? "", country ?? "",
        ]
        return SHA256.hash(data: Array(parts.joined(separator: "\n").utf8)).prefix(16).hexadecimal
    }
}
