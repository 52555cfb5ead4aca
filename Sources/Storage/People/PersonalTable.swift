/// A table with rows of people: who owns a row, how it is erased, and what is exported of it.
///
/// Each domain declares its tables. ``PersonalTables`` holds all of them for erasing and exporting.
package struct PersonalTable: Sendable {
    /// The table's name.
    package let name: StaticString
    /// The columns that identify and order the rows of a person: the primary key, with or without the column of the
    /// person. They are the whole primary key if no column contains the person.
    let keys: [StaticString]
    package let owner: Owner
    package let erasure: Erasure
    package let export: Export
    /// The columns of an exported table that are not in the export. The person's column and the number of the row's
    /// last change never are, and need not be named.
    let omits: [OmittedColumns]
    /// Columns whose values may be larger than a few hundred bytes; for tables with ``Erasure/rows``.
    let large: [StaticString]
    /// The condition of exported rows, such as `jobs.is_ephemeral = 0`; `nil` exports all.
    let exportCondition: StaticString?
    /// Whether its rows are searched for people who are gone but still have rows.
    let showsLeftovers: Bool
    /// Columns with ids of people who do not own the row; NULL in most rows. The table's erasure steps clear them.
    let mentions: [StaticString]

    /// - Parameters:
    ///   - keys: the columns that identify and order a person's rows.
    ///   - large: columns whose values may be larger than a few hundred bytes.
    ///   - omits: the columns of an exported table that are not in the export, by reason.
    ///   - exportCondition: the condition of exported rows; `nil` exports all.
    ///   - showsLeftovers: whether its rows are searched for people who are gone but still have rows; `nil` means that
    ///     they are if the table is erased by rows.
    ///   - mentions: columns with ids of people who do not own the row.
    package init(
        _ name: StaticString, keys: [StaticString], owner: Owner = .column("user_id"), erasure: Erasure,
        large: [StaticString] = [], export: Export, omits: [OmittedColumns] = [], exportCondition: StaticString? = nil,
        showsLeftovers: Bool? = nil,
        mentions: [StaticString] = []
    ) {
        precondition(!keys.isEmpty, "\(name) has no keys")
        self.name = name
        self.keys = keys
        self.owner = owner
        self.erasure = erasure
        self.large = large
        self.export = export
        self.omits = omits
        self.exportCondition = exportCondition
        self.mentions = mentions
        self.showsLeftovers = showsLeftovers ?? { if case .rows = erasure { true } else { false } }()
    }

    /// Whether the registry has another entry for the same table, which erases its rows.
    var isErasedByOtherEntry: Bool {
        guard case .with(let other) = erasure else { return false }
        return other.description == name.description
    }

    /// The owner of a row.
    package enum Owner: Sendable {
        /// The row is a person.
        ///
        /// - Parameter column: the person's id.
        case person(column: StaticString)
        /// A column holds the person's id.
        case column(StaticString)
        /// The row belongs to a row of another table, which a person owns.
        ///
        /// - Parameters:
        ///   - column: the column of this table that references the other one.
        ///   - table: the other table.
        ///   - key: the referenced column of the other table.
        ///   - tableOwner: the other table's column with the person's id.
        case row(column: StaticString, of: StaticString, key: StaticString = "id", tableOwner: StaticString = "user_id")
    }

    /// How a person's rows are deleted.
    package enum Erasure: Sendable {
        /// Rows are deleted by a foreign key when the person's row is deleted. Meant for few rows, which are deleted in
        /// one transaction; none can be written afterwards.
        case cascade
        /// Rows are deleted in steps of a few rows.
        case rows
        /// Rows are deleted by the domain's own steps, in order.
        case steps([ErasureStep])
        /// Rows are deleted by the erasure of another table, or by another entry of the same table.
        case with(StaticString)
        /// Rows are deleted after all others: the row marks the person as being erased.
        case atEnd
    }

    /// What a person's export contains.
    package enum Export: Sendable {
        /// - Parameters:
        ///   - member: the name of the table in the export.
        case rows(member: StaticString, [Column])
        case nothing(because: StaticString)
    }

    /// Columns that are not exported for one reason, which the name of the function says.
    package struct OmittedColumns: Sendable {
        let names: [StaticString]

        /// Keys of rows, which say nothing without the other tables.
        package static func keys(_ names: StaticString...) -> Self { Self(names: names) }

        /// Secrets and their hashes.
        package static func secrets(_ names: StaticString...) -> Self { Self(names: names) }

        /// What follows from exported columns.
        package static func derived(_ names: StaticString...) -> Self { Self(names: names) }

        /// What only the programs need for their work, such as how the queue runs a job, or how far a service was read.
        package static func internals(_ names: StaticString...) -> Self { Self(names: names) }
    }

    package struct Column: Sendable {
        package enum Kind: Sendable {
            case text, number, flag, time
            /// A duration in microseconds; exported in seconds.
            case duration
            /// Text with JSON.
            case json
            /// The number of a music service; exported as its name in the API.
            case musicSource
            /// The key of a row of a library; exported as the UUID that the API shows.
            case libraryID
            /// Bytes; exported in Base64 (RFC 4648, section 4).
            case bytes
            /// The name of the sealed text in the next column, and its key: the table, the row, the author and the id
            /// of the key, with spaces between them. It is not exported itself.
            case textName
            /// A sealed private text that contains JSON; exported opened.
            case sealedText
        }

        let name: StaticString
        /// The name of the column in the export.
        package let member: StaticString
        package let kind: Kind
        /// What is exported instead of the column, in SQL; `nil` for the column itself.
        let expression: StaticString?
        /// The rows of which only a part is exported; `nil` if there are none.
        let part: Part?

        /// - Parameters:
        ///   - expression: what is exported instead of the column, in SQL, with the names of tables.
        ///   - part: the rows of which only a part is exported.
        package init(
            _ name: StaticString, _ member: StaticString, _ kind: Kind = .text, as expression: StaticString? = nil,
            part: Part? = nil
        ) {
            (self.name, self.member, self.kind) = (name, member, kind)
            (self.expression, self.part) = (expression, part)
        }
    }

    /// What is exported of a text in rows that the person sees only in part. SQL cannot read JSON everywhere.
    package struct Part: Sendable {
        /// Which rows these are, in SQL, with the names of tables.
        let condition: StaticString
        let shown: @Sendable (_ text: String) throws -> String

        package init(where condition: StaticString, shown: @escaping @Sendable (_ text: String) throws -> String) {
            (self.condition, self.shown) = (condition, shown)
        }
    }
}

/// A step of a person's erasure for a table that needs more than plain deletes. It is repeated until it finds nothing,
/// so that it continues after a crash.
package struct ErasureStep: Sendable {
    /// An item to erase.
    package struct Item: Sendable, ExpressibleByStringLiteral {
        package let key: String
        /// The approximate size of its rows in bytes.
        package let bytes: Int

        package init(_ key: String, bytes: Int = 0) {
            self.key = key
            self.bytes = bytes
        }

        package init(stringLiteral key: String) { self.init(key) }
    }

    /// Finds up to `limit` items to erase, fewer if they are large. It runs outside a write, because it may read many
    /// rows.
    let find: @Sendable (_ reader: ReadTransaction, _ userID: String, _ limit: Int) throws -> [Item]
    /// Erases a few of the items in one transaction. Items may have disappeared meanwhile.
    let erase: @Sendable (_ transaction: WriteTransaction, _ userID: String, _ keys: [String]) throws -> Void

    package init(
        find: @escaping @Sendable (_ reader: ReadTransaction, _ userID: String, _ limit: Int) throws -> [Item],
        erase: @escaping @Sendable (_ transaction: WriteTransaction, _ userID: String, _ keys: [String]) throws -> Void
    ) {
        self.find = find
        self.erase = erase
    }
}
