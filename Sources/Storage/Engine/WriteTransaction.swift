/// The transaction of a batch of writes.
///
/// It is only valid on the writer's thread, within the closure that receives it.
package final class WriteTransaction: SQLReader {
    let connection: any SQLConnection
    private var change: Int64?
    private var batchNotes = ChangeNotifications()
    private var entryNotes = ChangeNotifications()
    private var attachments: [any BatchAttachment]
    /// The number of open savepoints within the entry.
    private var openParts = 0
    /// The number of parts of the entry so far.
    private var parts = 0
    /// The parts to leave out because they encountered a damaged page when the entry ran before.
    private let damagedParts: [Int: any Error]
    /// The part that encountered a damaged page.
    private(set) var damagedPart: (number: Int, error: any Error)?
    /// The first error of a damaged page. SQLite refuses all later writes of the transaction and its commit, even after
    /// the savepoint is rolled back and although their rows are intact (`SQLITE_CorruptRdOnly` in its source).
    private(set) var damage: StorageError?

    /// - Parameters:
    ///   - attachments: the attachments that every batch of its database has.
    ///   - damagedParts: the errors of parts that are refused without running them, by their numbers.
    init(
        connection: any SQLConnection, attachments: [any BatchAttachment], damagedParts: [Int: any Error] = [:]
    ) {
        self.connection = connection
        self.attachments = attachments
        self.damagedParts = damagedParts
    }

    package func rows(_ sql: SQL) throws -> [Row] {
        try notingDamage { try connection.rows(sql) }
    }

    package func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws {
        try notingDamage { try connection.forEachRow(sql, body) }
    }

    private func notingDamage<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StorageError {
            if case .corrupt = error, damage == nil { damage = error }
            throw error
        }
    }

    /// Runs a statement whose effect nobody counts. An engine across a network may send it later, with those after it;
    /// then a later call throws its error, at the latest when the write or the part (``apart(_:)``) ends.
    ///
    /// - Throws: ``StorageError``.
    package func run(_ sql: SQL) throws {
        try notingDamage { try connection.run(sql) }
    }

    /// Runs a constant statement whose effect nobody counts.
    ///
    /// - Parameter values: a value for each `?`, in order.
    /// - Throws: ``StorageError``.
    package func run(_ sql: ConstantSQL, _ values: [SQLValue]) throws {
        try notingDamage { try connection.run(sql, values) }
    }

    /// Runs a statement, and waits for its effect.
    ///
    /// - Returns: the number of rows that it changed.
    /// - Throws: ``StorageError``.
    package func execute(_ sql: SQL) throws -> Int {
        try notingDamage { try connection.execute(sql) }
    }

    /// Runs a constant statement, and waits for its effect.
    ///
    /// - Parameter values: a value for each `?`, in order.
    /// - Returns: the number of rows that it changed.
    /// - Throws: ``StorageError``.
    package func execute(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> Int {
        try notingDamage { try connection.execute(sql, values) }
    }

    /// All rows of a constant statement's result.
    package func rows(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> [Row] {
        try notingDamage { try connection.rows(sql, values) }
    }

    /// The next number of the change sequence, which orders all changes that event streams report.
    ///
    /// Numbers increase in commit order across all processes, because writers queue on one lock. An entry that is
    /// rolled back leaves a gap.
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
    package var lastChange: Int64? { change }

    /// The batch's attachment of a type.
    ///
    /// - Parameter make: creates it if the batch has none yet.
    package func attachment<Attachment: BatchAttachment>(
        _ type: Attachment.Type, make: () -> Attachment
    ) -> Attachment {
        // A linear search of the few attachments: every job transition gets here, and a dictionary or a dynamic cast
        // would be slower.
        for attachment in attachments where ObjectIdentifier(Swift.type(of: attachment)) == ObjectIdentifier(type) {
            // The condition has checked the type.
            return unsafeDowncast(attachment, to: type)
        }
        let made = make()
        // Within savepoints, it starts out empty, as it was before them.
        for _ in 0..<openParts { made.partBegan() }
        attachments.append(made)
        return made
    }

    /// Runs a part of an entry in a savepoint of its own, so that a failure rolls back this part alone.
    ///
    /// A part that encounters a damaged page ends the transaction. The entry then runs again, and the part is refused.
    ///
    /// - Returns: the error of a part that was rolled back or refused; `nil` if it succeeded.
    /// - Throws: an error that ended the whole transaction.
    package func apart(_ body: () throws -> Void) throws -> (any Error)? {
        if let damage { throw damage }
        let number = parts
        parts += 1
        if let error = damagedParts[number] { return error }
        let notes = entryNotes
        // Waits, so that the error of an earlier statement is not taken for this part's.
        _ = try execute("SAVEPOINT part")
        openParts += 1
        for attachment in attachments { attachment.partBegan() }
        do {
            try body()
            // The part may have caught an error that ended the transaction.
            guard connection.isInsideTransaction else { throw StorageError.transactionLost }
            if let damage { throw damage }
            // Waits, so that the error of a statement that was sent without waiting is this part's.
            _ = try execute("RELEASE part")
            endPart(isStored: true)
            return nil
        } catch {
            endPart(isStored: false)
            entryNotes = notes
            guard connection.isInsideTransaction else { throw error }
            guard damage == nil else {
                damagedPart = damagedPart ?? (number, error)
                throw error
            }
            _ = try execute("ROLLBACK TO part")
            _ = try execute("RELEASE part")
            return error
        }
    }

    private func endPart(isStored: Bool) {
        openParts -= 1
        for attachment in attachments { attachment.partEnded(isStored: isStored) }
    }

    /// Reports that rows of these people changed. Once the transaction is durable, their event streams report it, in
    /// this process and in the gateway.
    package func recordChange(of userIDs: some Sequence<String>, topic: ChangeTopic) {
        entryNotes.add(userIDs, topic: topic)
    }

    /// Reports that something of an author changed that others may see. Once the transaction is durable, the event
    /// streams of those who follow the author read it, however many these are.
    ///
    /// - Parameter author: the key of a person or of a topic.
    package func recordChange(ofAuthor author: Int64, _ aspect: AuthorAspect = .items) {
        entryNotes.add(author: author, aspect)
    }

    /// The people whose rows the batch changed, by topic.
    var notes: ChangeNotifications { batchNotes }

    func entrySucceeded() {
        if !entryNotes.isEmpty {
            batchNotes.add(entryNotes)
            entryNotes = ChangeNotifications()
        }
        parts = 0
        for attachment in attachments { attachment.entrySucceeded() }
    }

    func entryRolledBack() {
        entryNotes = ChangeNotifications()
        parts = 0
        for attachment in attachments { attachment.entryRolledBack() }
    }

    /// Writes the change log and the attachments, as the last statements of the transaction.
    func finishBatch() throws {
        if !batchNotes.isEmpty { try write(batchNotes, change: try change ?? nextChange()) }
        for attachment in attachments { try attachment.finishBatch(in: self) }
        if let change {
            try run("UPDATE change_sequence SET value = \(change)")
        }
    }

    /// Closures of attachments to call once the batch is durable.
    var whenDurable: [@Sendable () -> Void] { attachments.compactMap { $0.whenDurable() } }
}
