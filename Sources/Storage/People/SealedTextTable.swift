/// A table with private texts: each row has one that is sealed. The column `key_id` names the key, and `sealed` has the
/// sealed text. Both are NULL in a row without a text.
///
/// Each domain declares its tables. Who makes a key asks whether any text needs another one, and who replaces a key
/// seals all texts again.
package struct SealedTextTable: Sendable {
    package let name: StaticString
    /// The primary key, one column.
    let key: StaticString
    /// Who wrote the text of a row, as the seal names them, in SQL.
    let author: StaticString

    /// - Parameters:
    ///   - key: the primary key, whose text is the row's name in the seal.
    ///   - author: who wrote the text of a row, as the seal names them, in SQL that is a text; `''` for nobody.
    package init(_ name: StaticString, key: StaticString, author: StaticString = "''") {
        (self.name, self.key, self.author) = (name, key, author)
    }
}

/// A sealed text of a row.
package struct StoredText: Sendable {
    /// The value of the primary key.
    package let key: SQLValue
    package let author: String
    /// The id of the key that opens it.
    package let keyID: String
    package let sealed: [UInt8]

    /// The primary key as the seal names it.
    package var row: String {
        switch key {
        case .integer(let number): String(number)
        case .text(let text): text
        case .null, .real, .blob: ""
        }
    }
}

extension SQLReader {
    /// Whether a row of any of the tables has a text.
    package func hasSealedTexts(in tables: [SealedTextTable]) throws -> Bool {
        for table in tables {
            if try row("SELECT 1 FROM \(trusted: table.name) WHERE key_id IS NOT NULL LIMIT 1") != nil { return true }
        }
        return false
    }

    /// How many texts each key has sealed, by its id. It reads all rows.
    package func sealedTextCounts(in tables: [SealedTextTable]) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in tables {
            try forEachRow(
                """
                SELECT key_id, COUNT(*) AS texts FROM \(trusted: table.name) WHERE key_id IS NOT NULL GROUP BY key_id
                """
            ) { row in
                counts[try row["key_id"], default: 0] += try row["texts"] as Int
                return .continue
            }
        }
        return counts
    }

    /// Texts of a table that were not sealed with a key, in the order of the rows.
    ///
    /// - Parameters:
    ///   - keyID: the id of that key.
    ///   - last: begins after the row with this primary key; `nil` begins with the first.
    package func sealedTexts(
        in table: SealedTextTable, notSealedWith keyID: String, after last: SQLValue?, limit: Int
    ) throws -> [StoredText] {
        let following: SQL = last.map { "AND \(trusted: table.key) > \($0)" } ?? ""
        return try map(
            """
            SELECT \(trusted: table.key) AS row_key, \(trusted: table.author) AS author, key_id, sealed
            FROM \(trusted: table.name) WHERE key_id IS NOT NULL AND key_id <> \(keyID) \(following)
            ORDER BY \(trusted: table.key) LIMIT \(limit)
            """
        ) { row in
            StoredText(
                key: try row["row_key"], author: try row["author"], keyID: try row["key_id"],
                sealed: try row["sealed"])
        }
    }
}

extension WriteTransaction {
    /// Replaces the seal of a text that was read before. One that has changed since stays as it is.
    ///
    /// - Returns: whether it was replaced.
    package func reseal(
        _ text: StoredText, in table: SealedTextTable, keyID: String, sealed: [UInt8]
    ) throws -> Bool {
        try execute(
            """
            UPDATE \(trusted: table.name) SET key_id = \(keyID), sealed = \(sealed)
            WHERE \(trusted: table.key) = \(text.key) AND sealed = \(text.sealed)
            """) == 1
    }
}
