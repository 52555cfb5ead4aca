import CSQLite
import GRDB

/// The transaction of a batch of writes, as one of its entries sees it.
///
/// It lives on the writer's thread for the length of the closure it is handed to.
package final class WriteTransaction: SQLReader {
    let connection: GRDB.Database
    private var change: Int64?
    private var batchNotes = ChangeNotes()
    private var entryNotes = ChangeNotes()
    private var constantStatements: [ObjectIdentifier: GRDB.Statement] = [:]
    private var attachments: [any BatchAttachment]
    /// How many parts of the entry are under way, one in the other.
    private var openParts = 0

    /// - Parameter attachments: those of its database.
    init(connection: GRDB.Database, attachments: [any BatchAttachment]) {
        self.connection = connection
        self.attachments = attachments
    }

    package func rows(_ sql: SQL) throws -> [Row] {
        try connection.backlineRows(sql)
    }

    package func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws {
        try connection.backlineForEachRow(sql, body)
    }

    /// Runs a statement; returns the number of rows it changed.
    @discardableResult
    package func execute(_ sql: SQL) throws -> Int {
        try connection.backlineExecute(sql)
    }

    /// Runs a constant statement; returns the number of rows it changed.
    ///
    /// - Parameter values: one for each `?`, in their order.
    func execute(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> Int {
        try connection.backlineExecute(statement(sql, values.count), values, log: sql.text)
    }

    /// All rows of a constant statement's answer.
    func rows(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> [Row] {
        try connection.backlineRows(statement(sql, values.count), values, log: sql.text)
    }

    private func statement(_ sql: ConstantSQL, _ valueCount: Int) throws -> GRDB.Statement {
        let identity = ObjectIdentifier(sql)
        if let statement = constantStatements[identity] { return statement }
        let statement = try connection.backlineStatement(sql.text)
        precondition(
            sqlite3_bind_parameter_count(statement.sqliteStatement) == Int32(valueCount),
            "Not one value for each ? of: \(sql.text)")
        constantStatements[identity] = statement
        return statement
    }

    /// The next number of the change sequence, which orders everything that event streams report.
    ///
    /// Numbers rise in commit order over all processes, since writers queue on one lock. A rolled
    /// back entry leaves a gap.
    package func nextChange() throws -> Int64 {
        let current: Int64
        if let change {
            current = change
        } else {
            current = try row("SELECT value FROM change_sequence")?["value"] ?? 0
        }
        change = current + 1
        return current + 1
    }

    /// The number of the batch's last change so far; `nil` before the first.
    var lastChange: Int64? { change }

    /// What a part of the program gathers during the batch.
    ///
    /// - Parameter make: makes it, where the batch has none yet.
    package func attachment<Attachment: BatchAttachment>(
        _ type: Attachment.Type, make: () -> Attachment
    ) -> Attachment {
        // There are few, and asking for one stands in the way of every job that moves: no dictionary, no dynamic cast.
        for attachment in attachments where ObjectIdentifier(Swift.type(of: attachment)) == ObjectIdentifier(type) {
            // It is of that very type.
            return unsafeDowncast(attachment, to: type)
        }
        let made = make()
        // One that is first needed within a part had gathered nothing when that began.
        for _ in 0..<openParts { made.partBegan() }
        attachments.append(made)
        return made
    }

    /// Runs a part of an entry that may fail without it.
    ///
    /// - Returns: the error that undid the part.
    /// - Throws: an error that undid more than that.
    func apart(_ body: () throws -> Void) throws -> (any Error)? {
        let notes = entryNotes
        try execute("SAVEPOINT part")
        openParts += 1
        for attachment in attachments { attachment.partBegan() }
        do {
            try body()
            // An error that the part caught and kept to itself may have ended the transaction.
            guard connection.isInsideTransaction else { throw StorageError.transactionLost }
            try execute("RELEASE part")
            endPart(isKept: true)
            return nil
        } catch {
            endPart(isKept: false)
            entryNotes = notes
            guard connection.isInsideTransaction else { throw error }
            try execute("ROLLBACK TO part")
            try execute("RELEASE part")
            return error
        }
    }

    private func endPart(isKept: Bool) {
        openParts -= 1
        for attachment in attachments { attachment.partEnded(isKept: isKept) }
    }

    /// Notes that rows of these people changed, of which their event streams tell: in this process and, where it is a
    /// worker's, in the gateway's, once the transaction is durable.
    package func noteChange(of userIDs: some Sequence<String>, topic: ChangeTopic) {
        entryNotes.add(userIDs, topic: topic)
    }

    /// Whom the batch concerns, to be told once it is durable.
    var concernedUsers: Set<String> { batchNotes.everybody }

    func entrySucceeded() {
        if !entryNotes.isEmpty {
            batchNotes.add(entryNotes)
            entryNotes = ChangeNotes()
        }
        for attachment in attachments { attachment.entrySucceeded() }
    }

    func entryRolledBack() {
        entryNotes = ChangeNotes()
        for attachment in attachments { attachment.entryRolledBack() }
    }

    /// Writes what was gathered during the batch. Runs last, inside the transaction.
    func finishBatch() throws {
        if !batchNotes.isEmpty { try write(batchNotes, change: try change ?? nextChange()) }
        for attachment in attachments { try attachment.finishBatch(in: self) }
        if let change {
            try execute("UPDATE change_sequence SET value = \(change)")
        }
    }

    /// What to call once the batch is durable.
    var whenDurable: [@Sendable () -> Void] { attachments.compactMap { $0.whenDurable() } }
}
