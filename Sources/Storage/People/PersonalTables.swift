/// All tables with rows of people, in the order of the export.
///
/// Erasing goes in reverse order, so that rows are deleted before the rows that they belong to.
package struct PersonalTables: Sendable {
    package let all: [PersonalTable]
    /// The table with a row for each person, and its column with the person's id.
    private let people: (table: StaticString, id: StaticString)

    /// - Parameter domains: the tables of each domain. Exactly one table has ``PersonalTable/Owner/person(column:)``.
    ///   A table whose rows belong to two people is listed for each of them, but erased by one entry only.
    package init(_ domains: [PersonalTable]...) {
        all = domains.flatMap { $0 }
        let erased = all.filter { !$0.isErasedByOtherEntry }.map(\.name.description)
        precondition(Set(erased).count == erased.count, "A table is listed twice")
        let people = all.compactMap { table -> (table: StaticString, id: StaticString)? in
            guard case .person(let column) = table.owner else { return nil }
            return (table.name, column)
        }
        precondition(people.count == 1, "\(people.count) tables of people instead of one")
        self.people = people[0]
    }

    /// The ids of people who are gone but still have rows: requests and jobs that ran during their erasure may have
    /// written some.
    ///
    /// - Parameters:
    ///   - exempt: an owner without a row of its own (``SystemUser``).
    ///   - limit: the most ids.
    package func goneOwners(exempt: String, limit: Int, in reader: some SQLReader) throws -> [String] {
        let queries = all.flatMap(\.owners)
        guard let first = queries.first else { return [] }
        let owners = queries.dropFirst().reduce(first) { $0 + " UNION " + $1 }
        return try reader.rows(
            """
            SELECT user_id FROM (\(owners)) AS owners
            WHERE user_id <> \(exempt) AND NOT EXISTS (
                SELECT 1 FROM \(trusted: people.table)
                WHERE \(trusted: people.table).\(trusted: people.id) = owners.user_id)
            ORDER BY user_id LIMIT \(limit)
            """
        ).map { try $0["user_id"] }
    }

    /// The most rows that one query finds, outside the steps that delete them.
    private static let findLimit = 500
    /// The size in bytes at which a query ends.
    private static let findBytes = 4 << 20

    /// Erases the rows of a person whose own row is gone, in steps. After a crash the next call continues.
    ///
    /// - Returns: whether rows were found.
    /// - Throws: what the domains' steps throw, ``StorageError``, or `CancellationError` between two steps.
    package func eraseRows(of userID: String, in database: Database, by writes: SteppedWrites) async throws -> Bool {
        var found = false
        for table in all.reversed() {
            switch table.erasure {
            case .rows:
                // Their rows were already erased; these are rows that were written since then.
                let dependents = dependents(of: table)
                writes.resetSize()
                var last: PersonalTable.ExportPosition?
                while case let rows = try await database.read({ [last] in
                    try table.rowsToErase(
                        of: userID, after: last, limit: Self.findLimit, maximumBytes: Self.findBytes, in: $0)
                }), let end = rows.last {
                    found = true
                    try await writes.write(rows, bytes: { $0.bytes }) {
                        for row in $1 { try table.deleteRow(row.position, of: userID, with: dependents, in: $0) }
                    }
                    last = end.position
                }
            case .steps(let steps):
                for step in steps {
                    writes.resetSize()
                    while case let items = try await database.read({ try step.find($0, userID, Self.findLimit) }),
                        !items.isEmpty
                    {
                        found = true
                        try await writes.write(items, bytes: { $0.bytes }) {
                            try step.erase($0, userID, $1.map(\.key))
                        }
                    }
                }
            case .cascade, .with, .atEnd: break
            }
        }
        return found
    }

    /// The tables whose rows belong to rows of another one.
    private func dependents(of table: PersonalTable) -> [PersonalTable] {
        all.filter { other in
            guard case .row(_, let owner, _, _) = other.owner else { return false }
            return owner.description == table.name.description
        }
    }
}
