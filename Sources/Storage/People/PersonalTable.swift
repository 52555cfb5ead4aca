/// A table with rows of people: whose a row is, how it is erased, and what is exported of it.
///
/// Each domain declares its own; ``PersonalTables`` is all of them, which erasing and exporting follow.
package struct PersonalTable: Sendable {
    /// The table's name.
    package let name: StaticString
    /// What orders the rows of a person, and tells them apart: the rest of the primary key, or all of it; always all of
    /// it where no column of the table holds the person.
    let keys: [StaticString]
    package let owner: Owner
    package let erasure: Erasure
    package let export: Export
    /// Columns whose values may be larger than a few hundred bytes; for tables that are erased by rows.
    let large: [StaticString]
    /// What of a person's rows counts for exporting, such as `jobs.is_ephemeral = 0`.
    let exportCondition: StaticString?
    /// Whether its rows tell of people who are gone and have rows left.
    let showsLeftovers: Bool
    /// Columns that name people whose the rows are not, and are empty in most; the table's own steps empty them.
    let mentions: [StaticString]

    /// - Parameters:
    ///   - showsLeftovers: whether its rows tell of people who are gone and have rows left; when it is `nil`, those of
    ///     a table that is erased by rows do.
    ///   - mentions: columns that name people whose the rows are not.
    package init(
        _ name: StaticString, keys: [StaticString], owner: Owner = .column("user_id"), erasure: Erasure,
        large: [StaticString] = [], export: Export, exportCondition: StaticString? = nil, showsLeftovers: Bool? = nil,
        mentions: [StaticString] = []
    ) {
        precondition(!keys.isEmpty, "\(name): nothing orders its rows")
        self.name = name
        self.keys = keys
        self.owner = owner
        self.erasure = erasure
        self.large = large
        self.export = export
        self.exportCondition = exportCondition
        self.mentions = mentions
        self.showsLeftovers = showsLeftovers ?? { if case .rows = erasure { true } else { false } }()
    }

    /// Whose a row is.
    package enum Owner: Sendable {
        /// The row is a person.
        ///
        /// - Parameter column: their id.
        case person(column: StaticString)
        /// A column holds the person's id.
        case column(StaticString)
        /// The row belongs to a row of another table that a column of the person's id tells the owner of.
        ///
        /// - Parameters:
        ///   - column: of this table.
        ///   - table: the other table, whose column `key` it is.
        ///   - tableOwner: the other table's column with the person's id.
        case row(column: StaticString, of: StaticString, key: StaticString = "id", tableOwner: StaticString = "user_id")
    }

    /// How a person's rows go.
    package enum Erasure: Sendable {
        /// With the row of the person, which they reference: there are never more than go in one transaction, and none
        /// can be written afterwards.
        case cascade
        /// Some at a time.
        case rows
        /// In the domain's own steps, one after the other.
        case steps([ErasureStep])
        /// By the steps of another table.
        case with(StaticString)
        /// It says that the person is being erased, and is deleted when all else is.
        case atEnd
    }

    /// What goes into a person's archive.
    package enum Export: Sendable {
        /// - Parameters:
        ///   - member: as the archive names the table.
        case rows(member: StaticString, [Column])
        case nothing(because: StaticString)
    }

    package struct Column: Sendable {
        package enum Kind: Sendable {
            case text, number, flag, time
            /// Microseconds, exported as seconds.
            case duration
            /// Text that is JSON.
            case json
        }

        let name: StaticString
        /// As the archive names it.
        package let member: StaticString
        package let kind: Kind

        package init(_ name: StaticString, _ member: StaticString, _ kind: Kind = .text) {
            (self.name, self.member, self.kind) = (name, member, kind)
        }
    }
}

/// A part of erasing a person that a table needs beside plain deletes. It is repeated until it finds nothing, so that
/// it goes on by itself after a process died.
package struct ErasureStep: Sendable {
    /// Something that is to be erased.
    package struct Item: Sendable, ExpressibleByStringLiteral {
        package let key: String
        /// About how many bytes it has.
        package let bytes: Int

        package init(_ key: String, bytes: Int = 0) {
            self.key = key
            self.bytes = bytes
        }

        package init(stringLiteral key: String) { self.init(key) }
    }

    /// Up to `limit` things that are to be erased, fewer where they are large; outside a write, since it may have to
    /// look at many rows.
    let find: @Sendable (_ reader: ReadTransaction, _ userID: String, _ limit: Int) throws -> [Item]
    /// Erases some of them, in one transaction. What was found may be gone meanwhile.
    let erase: @Sendable (_ transaction: WriteTransaction, _ userID: String, _ keys: [String]) throws -> Void

    package init(
        find: @escaping @Sendable (_ reader: ReadTransaction, _ userID: String, _ limit: Int) throws -> [Item],
        erase: @escaping @Sendable (_ transaction: WriteTransaction, _ userID: String, _ keys: [String]) throws -> Void
    ) {
        self.find = find
        self.erase = erase
    }
}
