import Storage

extension VisibilityStore where Access == WriteTransaction {
    /// Looks at up to `limit` acquaintances that every device knows as they are: whoever has read less reads everything
    /// again. Those of two people who have nothing of each other any longer end; the others are looked at again after
    /// their next change.
    ///
    /// - Parameter hasMore: whether two people have something of each other besides follows.
    /// - Returns: how many acquaintances it has looked at.
    package func pruneAcquaintances(
        limit: Int, hasMore: (_ one: PersonKey, _ other: PersonKey) throws -> Bool
    ) throws -> Int {
        let known = try transaction.earliestCompleteChange()
        let changed = try transaction.map(
            """
            SELECT person, other FROM relation_changes
            WHERE state = \(AcquaintanceState.changed.sql) AND change <= \(known) ORDER BY change LIMIT \(limit)
            """
        ) { (person: try $0["person"] as PersonKey, other: try $0["other"] as PersonKey) }
        for (person, other) in changed {
            // The rows of the two end together: an erasure finds those of others by the person's own.
            if try mayEnd(between: person, and: other, known: known) && !hasMore(person, other) {
                try transaction.run(
                    """
                    DELETE FROM relation_changes
                    WHERE person = \(person) AND other = \(other) OR person = \(other) AND other = \(person)
                    """)
            } else {
                try transaction.run(
                    """
                    UPDATE relation_changes SET state = \(AcquaintanceState.present.sql)
                    WHERE person = \(person) AND other = \(other)
                    """)
            }
        }
        return changed.count
    }

    /// Whether neither of two people follows the other, and the devices of the other know what has changed as well.
    private func mayEnd(between person: PersonKey, and other: PersonKey, known: Int64) throws -> Bool {
        guard try !isFollowing(other, by: person) && !isFollowing(person, by: other) else { return false }
        return try transaction.row(
            """
            SELECT 1 FROM relation_changes
            WHERE person = \(other) AND other = \(person)
                AND (change > \(known) OR state = \(AcquaintanceState.lasting.sql))
            """) == nil
    }
}
