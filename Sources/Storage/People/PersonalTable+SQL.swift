/// The statements for erasing and exporting, built from a table's description.
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

    /// Calls `body` with a person's rows in order, up to the row with which their values reach `maximumBytes`.
    ///
    /// - Parameters:
    ///   - columns: the columns to read.
    ///   - last: begins after this row; `nil` begins with the first.
    ///   - limit: the most rows.
    ///   - maximumBytes: the size of texts and blobs after which it ends; at least one row is read, however large.
    /// - Returns: the position to continue from; `nil` after the last row.
    package func forEachExportedRow(
        of userID: String, _ columns: [Column], after last: ExportPosition?, limit: Int, maximumBytes: Int,
        in reader: ReadTransaction, _ body: (_ values: ArraySlice<SQLValue>) throws -> Void
    ) throws -> ExportPosition? {
        var (count, bytes) = (0, 0)
        var end: ExportPosition?
        let parts = columns.enumerated().compactMap { index, column in column.part.map { (index: index, part: $0) } }
        try reader.forEachRow(exportQuery(of: userID, columns, after: last, limit: limit)) { row in
            var values = row.values.prefix(columns.count)
            for (flag, (index, part)) in zip(row.values.dropFirst(columns.count), parts) where flag == .integer(1) {
                if case .text(let text) = values[index] { values[index] = .text(try part.shown(text)) }
            }
            try body(values)
            count += 1
            bytes += row.values.reduce(0) { $0 + $1.byteCount }
            guard count < limit, bytes < maximumBytes else {
                end = ExportPosition(keys: Array(row.values.dropFirst(columns.count + parts.count)))
                return .stop
            }
            return .continue
        }
        return end
    }

    /// A query for the columns, whether only a part of them is exported, and the keys of a person's rows after `last`, in
    /// order.
    func exportQuery(of userID: String, _ columns: [Column], after last: ExportPosition?, limit: Int) -> SQL {
        let order = joined(exportOrder)
        let values = columns.map { column -> SQL in
            column.expression.map { "\(trusted: $0)" } ?? "\(trusted: name).\(trusted: column.name)"
        }
        let parts = columns.compactMap(\.part).map { "CASE WHEN \(trusted: $0.condition) THEN 1 ELSE 0 END" as SQL }
        var sql: SQL = "SELECT " + joined(values + parts) + ", " + order + " "
        sql = sql + source(userID)
        if let exportCondition { sql = sql + " AND \(trusted: exportCondition)" }
        if let last { sql = sql + " AND (" + order + ") > (" + joined(last.keys.map { "\($0)" }) + ")" }
        return sql + " ORDER BY " + order + " LIMIT \(limit)"
    }

    /// The key columns. A column that references the owning row is replaced by the key of that row. Both are equal, but
    /// only with the owning table's key does the database continue from a position by index instead of sorting all
    /// remaining rows.
    private var exportOrder: [SQL] {
        guard case .row(let column, let table, let key, _) = owner else { return qualifiedKeys }
        return keys.map {
            $0.description == column.description
                ? "\(trusted: table).\(trusted: key)" : "\(trusted: name).\(trusted: $0)"
        }
    }

    /// The position of a row: the values of its keys.
    package struct ExportPosition: Sendable {
        let keys: [SQLValue]
    }

    // MARK: Erasing

    /// A row to erase.
    struct ErasureTarget: Sendable {
        let position: ExportPosition
        /// The approximate size of its large columns.
        let bytes: Int
    }

    /// Rows of a person in order, up to the row with which they reach `maximumBytes`; at least one, however large.
    ///
    /// - Parameter last: begins after this row; `nil` begins with the first.
    func rowsToErase(
        of userID: String, after last: ExportPosition?, limit: Int, maximumBytes: Int, in reader: ReadTransaction
    ) throws -> [ErasureTarget] {
        let order = joined(exportOrder)
        let lengths = large.map { "COALESCE(LENGTH(\(trusted: name).\(trusted: $0)), 0)" as SQL }
        let bytes = lengths.isEmpty ? "0" : joined(lengths, by: " + ")
        var sql: SQL = "SELECT " + order + ", " + bytes + " AS bytes " + source(userID)
        if let last { sql = sql + " AND (" + order + ") > (" + joined(last.keys.map { "\($0)" }) + ")" }
        var rows: [ErasureTarget] = []
        var total = 0
        try reader.forEachRow(sql + " ORDER BY " + order + " LIMIT \(limit)") { row in
            let found = ErasureTarget(position: .init(keys: Array(row.values.dropLast())), bytes: try row["bytes"])
            rows.append(found)
            total += found.bytes
            return total < maximumBytes ? .continue : .stop
        }
        return rows
    }

    /// Deletes a row of a person with the rows that belong to it.
    ///
    /// - Parameter dependents: the tables whose rows belong to rows of this one
    ///   (``Owner/row(column:of:key:tableOwner:)``). Once the owning row is gone, no query finds such a row.
    func deleteRow(
        _ row: ExportPosition, of userID: String, with dependents: [PersonalTable], in transaction: WriteTransaction
    ) throws {
        for dependent in dependents {
            guard case .row(let column, _, let key, _) = dependent.owner,
                let value = zip(keys, row.keys).first(where: { $0.0.description == key.description })?.1
            else { preconditionFailure("\(dependent.name) references no key of \(name)") }
            try transaction.run("DELETE FROM \(trusted: dependent.name) WHERE \(trusted: column) = \(value)")
        }
        try transaction.run(deletion(of: row, ofUser: userID))
    }

    /// Deletes a row of a person.
    func deletion(of row: ExportPosition, ofUser userID: String) -> SQL {
        var conditions = zip(keys, row.keys).map { "\(trusted: $0.0) = \($0.1)" as SQL }
        // Keys may be unique within the rows of one person only.
        switch owner {
        case .person(let column), .column(let column): conditions.append("\(trusted: column) = \(userID)")
        case .row(let column, let table, let key, let tableOwner):
            conditions.append(
                """
                \(trusted: column) IN (
                    SELECT \(trusted: key) FROM \(trusted: table) WHERE \(trusted: tableOwner) = \(userID))
                """)
        }
        return "DELETE FROM \(trusted: name) WHERE " + joined(conditions, by: " AND ")
    }

    /// Queries for the ids of people who own rows or are named in them; empty for a table whose rows disappear with
    /// those of another table.
    ///
    /// They go from person to person by an index, so that they read as many entries as there are people, however many
    /// rows the people have. ``ownerColumns`` have such an index.
    var owners: [SQL] {
        ownerColumns.map { column in
            """
            SELECT user_id FROM (
                WITH RECURSIVE owner_ids (user_id) AS (
                    SELECT MIN(\(trusted: column)) FROM \(trusted: name)
                    UNION ALL
                    SELECT (
                        SELECT MIN(\(trusted: column)) FROM \(trusted: name)
                        WHERE \(trusted: column) > owner_ids.user_id)
                    FROM owner_ids WHERE owner_ids.user_id IS NOT NULL
                )
                SELECT user_id FROM owner_ids WHERE user_id IS NOT NULL
            ) AS owners_of_table
            """
        }
    }

    /// The columns with people's ids, by which rows of somebody who is gone are found.
    var ownerColumns: [StaticString] {
        guard showsLeftovers, case .column(let column) = owner else { return mentions }
        return mentions + [column]
    }
}

extension SQLValue {
    /// The size of a text or blob in bytes; 0 for other values.
    var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .integer, .real: 0
        }
    }
}
