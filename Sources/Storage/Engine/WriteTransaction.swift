import CSQLite
import GRDB

/// The transaction of a batch of writes, as one of its entries sees it.
///
/// It lives on the writer's thread for the length of the closure it is handed to.
package final class WriteTransaction: SQLReader {
    let connection: GRDB.Database
    private var change: Int64?
    private var batchMoves = JobMoves()
    private var entryMoves = JobMoves()
    private var batchNotes = ChangeNotes()
    private var entryNotes = ChangeNotes()
    private var constantStatements: [ObjectIdentifier: GRDB.Statement] = [:]
    /// What domains write when jobs end.
    let ends: JobEnds
    private var entryRefusals: [RefusedEnd] = []
    /// Ends of the batch whose rows were refused, to be told once it is durable.
    private(set) var refusedEnds: [RefusedEnd] = []

    init(connection: GRDB.Database, ends: JobEnds) {
        self.connection = connection
        self.ends = ends
    }

    package func rows(_ sql: SQL) throws -> [Row] {
        try connection.backlineRows(sql)
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
        try connection.backlineExecute(statement(sql, values.count), values)
    }

    /// All rows of a constant statement's answer.
    func rows(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> [Row] {
        try connection.backlineRows(statement(sql, values.count), values)
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

    /// Notes that a job came, went, or changed its state; the counters are written once a batch, however many moved.
    func moved(_ move: JobMoves.Move) {
        entryMoves.add(move)
    }

    /// Notes that the rows of a job's end were refused.
    func refused(_ end: RefusedEnd) {
        entryRefusals.append(end)
    }

    /// Runs a part of an entry that may fail without it.
    ///
    /// - Returns: the error that undid the part.
    /// - Throws: an error that undid more than that.
    func apart(_ body: () throws -> Void) throws -> (any Error)? {
        let (moves, refusals, notes) = (entryMoves, entryRefusals, entryNotes)
        try execute("SAVEPOINT part")
        do {
            try body()
            // An error that the part caught and kept to itself may have ended the transaction.
            guard connection.isInsideTransaction else { throw StorageError.transactionLost }
            try execute("RELEASE part")
            return nil
        } catch {
            guard connection.isInsideTransaction else { throw error }
            try execute("ROLLBACK TO part")
            try execute("RELEASE part")
            (entryMoves, entryRefusals, entryNotes) = (moves, refusals, notes)
            return error
        }
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
        batchMoves.add(entryMoves)
        entryMoves.removeAll()
        if !entryRefusals.isEmpty {
            refusedEnds += entryRefusals
            entryRefusals = []
        }
    }

    func entryRolledBack() {
        entryMoves.removeAll()
        entryRefusals = []
        entryNotes = ChangeNotes()
    }

    /// Writes what was gathered during the batch. Runs last, inside the transaction.
    func finishBatch() throws {
        if !batchNotes.isEmpty { try write(batchNotes, change: try change ?? nextChange()) }
        if let change {
            try execute("UPDATE change_sequence SET value = \(change)")
        }
        try writeCounts()
    }

    private func writeCounts() throws {
        for (userID, state, delta) in batchMoves.changes(by: \.userID, keepsKeys: true) {
            try execute(
                """
                INSERT INTO job_counts (user_id, state, count, change)
                VALUES (\(userID), \(state), \(delta), \(change ?? 0))
                ON CONFLICT (user_id, state) DO UPDATE SET count = job_counts.count + excluded.count,
                    change = CASE WHEN excluded.change > 0 THEN excluded.change ELSE job_counts.change END
                """)
        }
        for (kind, state, delta) in batchMoves.changes(by: \.kind) {
            try execute(
                """
                INSERT INTO job_kind_counts (kind, state, count) VALUES (\(kind), \(state), \(delta))
                ON CONFLICT (kind, state) DO UPDATE SET count = job_kind_counts.count + excluded.count
                """)
        }
    }
}
