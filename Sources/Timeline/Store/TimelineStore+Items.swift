import Model
import Storage

extension TimelineStore where Access == WriteTransaction {
    /// Adds an item of one author or of several, or further topics of an item that exists. Whoever follows a person or
    /// reads a topic has it in the feed from now on; nothing is written for each of them.
    ///
    /// - Parameters:
    ///   - number: a `nextChange()` of the item alone, which is also the key of the domain's own row.
    ///   - authors: not empty. Several must all be topics.
    ///   - moment: when it was made or first seen. The domain keeps it: it is needed to find the item.
    package func insert(
        _ kind: TimelineKind, number: Int64, by authors: [TimelineAuthor], moment: Timestamp
    ) throws {
        let score = try score(of: kind, number: number, moment: moment)
        // A topic that comes later is a later change.
        let change = transaction.lastChange == number ? number : try transaction.nextChange()
        for author in Set(authors) {
            try transaction.run(
                """
                INSERT INTO timeline_items (author, score, number, kind, change)
                VALUES (\(author), \(score), \(number), \(kind), \(change))
                ON CONFLICT (author, score, number) DO NOTHING
                """)
            try transaction.run(
                """
                INSERT INTO timeline_latest (author, score) VALUES (\(author), \(score))
                ON CONFLICT (author) DO UPDATE SET score = excluded.score
                WHERE excluded.score > timeline_latest.score
                """)
            transaction.recordChange(ofAuthor: author.rawValue)
        }
    }

    /// Reports that the content of an item has changed. Its place in the feed stays.
    ///
    /// - Parameters: as in ``insert(_:number:by:moment:)``.
    package func touch(
        _ kind: TimelineKind, number: Int64, by authors: [TimelineAuthor], moment: Timestamp
    ) throws {
        let score = try score(of: kind, number: number, moment: moment)
        let change = try transaction.nextChange()
        for author in Set(authors) {
            try transaction.run(
                """
                UPDATE timeline_items SET change = \(change)
                WHERE author = \(author) AND score = \(score) AND number = \(number)
                """)
            transaction.recordChange(ofAuthor: author.rawValue)
        }
    }

    /// Removes an item from all feeds, and from the pages that show it at this moment. An item that does not exist stays
    /// so.
    ///
    /// - Parameters: as in ``insert(_:number:by:moment:)``, and
    ///   - id: under which the API showed the item.
    package func remove(
        _ kind: TimelineKind, number: Int64, id: String, by authors: [TimelineAuthor], moment: Timestamp,
        now: Timestamp
    ) throws {
        let score = try score(of: kind, number: number, moment: moment)
        for author in Set(authors) {
            guard
                try transaction.execute(
                    """
                    DELETE FROM timeline_items
                    WHERE author = \(author) AND score = \(score) AND number = \(number)
                    """) == 1
            else { continue }
            try correctLatest(of: author)
            try transaction.run(
                """
                INSERT INTO timeline_gone_items (author, change, item, gone_at)
                VALUES (\(author), \(try transaction.nextChange()), \(kind.itemID(id)), \(now))
                """)
            transaction.recordChange(ofAuthor: author.rawValue)
        }
    }

    /// Removes items of an author who is being erased. Those who could see them learn of it by the end of their follows.
    ///
    /// - Returns: how many were removed; fewer than `limit` at the end.
    package func removeItems(of author: TimelineAuthor, limit: Int) throws -> Int {
        let items = try transaction.rows(
            """
            SELECT score, number FROM timeline_items
            WHERE author = \(author) ORDER BY score DESC, number DESC LIMIT \(limit)
            """)
        for item in items {
            try transaction.run(
                """
                DELETE FROM timeline_items
                WHERE author = \(author) AND score = \(try item["score"] as Int64)
                    AND number = \(try item["number"] as Int64)
                """)
        }
        if !items.isEmpty { try correctLatest(of: author) }
        return items.count
    }

    /// Computes the highest score of an author again, after an item was deleted.
    func correctLatest(of author: TimelineAuthor) throws {
        let score: Int64? = try transaction.row(
            "SELECT score FROM timeline_items WHERE author = \(author) ORDER BY score DESC, number DESC LIMIT 1"
        )?["score"]
        if let score {
            try transaction.run("UPDATE timeline_latest SET score = \(score) WHERE author = \(author)")
        } else {
            try transaction.run("DELETE FROM timeline_latest WHERE author = \(author)")
        }
    }
}
