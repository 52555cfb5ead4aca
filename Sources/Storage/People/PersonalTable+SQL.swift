/// The statements that erasing and exporting make of what a table says of itself.
extension PersonalTable {
    /// The rows of a person: `FROM … WHERE …`.
    private func source(_ userID: String) -> SQL {
        switch owner {
        case .person(let column), .column(let column):
            "FROM \(trusted: name) WHERE \(trusted: name).\(trusted: column) = \(userID)"
        case .row(let column, let table, let key, let tableOwner):
            """
            FROM \(trusted: name) JOIN \(trusted: table)
                ON \(trusted: table).\(trusted: key) = \(trusted: name).\(trusted: column)
            WHERE \(trusted: table).\(trusted: tableOwner) = \(userID)
            """
        }
    }

    private func joined(_ parts: [SQL], by separator: SQL = ", ") -> SQL {
        parts.dropFirst().reduce(parts.first ?? "") { $0 + separator + $1 }
    }

    private var qualifiedKeys: [SQL] { keys.map { "\(trusted: name).\(trusted: $0)" } }

    // MARK: Exporting

    /// Calls `body` with a person's rows in their order, up to the one with which their texts have `maximumBytes`; it
    /// has one row however large.
    ///
    /// - Parameters:
    ///   - columns: what is read of each.
    ///   - last: the row after which it begins.
    ///   - limit: the most rows.
    /// - Returns: where the next part begins; `nil` when there is no more.
    package func forEachExportedRow(
        of userID: String, _ columns: [Column], after last: ExportPosition?, limit: Int, maximumBytes: Int,
        in reader: ReadTransaction, _ body: (_ values: ArraySlice<SQLValue>) throws -> Void
    ) throws -> ExportPosition? {
        var (count, bytes) = (0, 0)
        var end: ExportPosition?
        try reader.forEachRow(exportQuery(of: userID, columns, after: last, limit: limit)) { row in
            try body(row.values.prefix(columns.count))
            count += 1
            bytes += row.values.reduce(0) { $0 + $1.byteCount }
            guard count < limit, bytes < maximumBytes else {
                end = ExportPosition(keys: Array(row.values.dropFirst(columns.count)))
                return .stop
            }
            return .goOn
        }
        return end
    }

    /// The columns and then the keys of a person's rows after `last`, in their order.
    func exportQuery(of userID: String, _ columns: [Column], after last: ExportPosition?, limit: Int) -> SQL {
        let order = joined(exportOrder)
        var sql: SQL = "SELECT " + joined(columns.map { "\(trusted: name).\(trusted: $0.name)" }) + ", " + order + " "
        sql = sql + source(userID)
        if let exportCondition { sql = sql + " AND \(trusted: exportCondition)" }
        if let last { sql = sql + " AND (" + order + ") > (" + joined(last.keys.map { "\($0)" }) + ")" }
        return sql + " ORDER BY " + order + " LIMIT \(limit)"
    }

    /// The keys, with that of the row that a row belongs to in the place of the column that names it. They are equal,
    /// but only by the other table's own a database goes on from a position, and does not sort all that is left for
    /// each part.
    private var exportOrder: [SQL] {
        guard case .row(let column, let table, let key, _) = owner else { return qualifiedKeys }
        return keys.map {
            $0.description == column.description
                ? "\(trusted: table).\(trusted: key)" : "\(trusted: name).\(trusted: $0)"
        }
    }

    /// A row of a table, by its keys.
    package struct ExportPosition: Sendable {
        let keys: [SQLValue]
    }

    // MARK: Erasing

    /// Deletes up to `limit` rows of a person, with those that belong to them; returns how many, without those.
    ///
    /// - Parameter dependents: the tables whose rows belong to rows of this one
    ///   (``Owner/row(column:of:key:tableOwner:)``). Nothing would find such a row once the one that it belongs to is
    ///   gone.
    func deleteRows(
        of userID: String, limit: Int, with dependents: [PersonalTable] = [], in transaction: WriteTransaction
    ) throws -> Int {
        let names = joined(keys.map { "\(trusted: $0)" })
        var part = source(userID)
        // All statements have to mean the same rows. It costs sorting, so only where there are several.
        if !dependents.isEmpty { part = part + " ORDER BY " + joined(qualifiedKeys) }
        part = part + " LIMIT \(limit)"
        for dependent in dependents {
            guard case .row(let column, _, let key, _) = dependent.owner else { continue }
            try transaction.execute(
                """
                DELETE FROM \(trusted: dependent.name) WHERE \(trusted: column) IN (
                    SELECT \(trusted: name).\(trusted: key) \(part))
                """)
        }
        let found = "SELECT " + joined(qualifiedKeys) + " " + part
        // Keys may tell only the rows of one person apart: others have the same.
        let isTheirs: SQL =
            switch owner {
            case .person(let column), .column(let column):
                "\(trusted: name).\(trusted: column) = \(userID) AND "
            case .row: ""
            }
        return try transaction.execute(
            "DELETE FROM \(trusted: name) WHERE \(isTheirs)(\(names)) IN (\(found))")
    }

    /// Queries for the ids of those of whom there are rows, or whom rows name; none for a table in which nothing can be
    /// left of people who are gone that another table does not tell of.
    var owners: [SQL] {
        var owners: [SQL] = mentions.map {
            "SELECT \(trusted: $0) AS user_id FROM \(trusted: name) WHERE \(trusted: $0) IS NOT NULL"
        }
        if showsLeftovers, case .column(let column) = owner {
            owners.append("SELECT \(trusted: column) AS user_id FROM \(trusted: name)")
        }
        return owners
    }
}

extension SQLValue {
    /// Of texts and blobs.
    var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .integer, .real: 0
        }
    }
}
