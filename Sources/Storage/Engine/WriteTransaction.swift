import CSQLite
import GRDB

/// The transaction of a batch of writes, as one of its entries sees it.
///
/// It lives on the writer's thread for the length of the closure it is handed to.
package final class WriteTransaction: SQLReader {
    let connection: GRDB.Database
    private var change: Int64?
    private var batchCounts: [JobCountKey: Int] = [:]
    private var entryCounts: [JobCountKey: Int] = [:]
    private var constantStatements: [UnsafePointer<UInt8>: GRDB.Statement] = [:]

    init(connection: GRDB.Database) {
        self.connection = connection
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
        if let statement = constantStatements[sql.identity] {
            return try connection.backlineExecute(statement, values)
        }
        let statement = try connection.backlineStatement(sql.text.description)
        precondition(
            sqlite3_bind_parameter_count(statement.sqliteStatement) == Int32(values.count),
            "Not one value for each ? of: \(sql.text)")
        constantStatements[sql.identity] = statement
        return try connection.backlineExecute(statement, values)
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

    /// Adds to the number of jobs in a state, of a user and of a kind; written once a batch, however many
    /// jobs moved.
    package func count(_ delta: Int, userID: String, kind: String, state: String) {
        entryCounts[JobCountKey(userID: userID, kind: kind, state: state), default: 0] += delta
    }

    func entrySucceeded() {
        for (key, delta) in entryCounts {
            batchCounts[key, default: 0] += delta
        }
        entryCounts.removeAll(keepingCapacity: true)
    }

    func entryRolledBack() {
        entryCounts.removeAll(keepingCapacity: true)
    }

    /// Writes what was gathered during the batch. Runs last, inside the transaction.
    func finishBatch() throws {
        if let change {
            try execute("UPDATE change_sequence SET value = \(change)")
        }
        try writeCounts()
    }

    private func writeCounts() throws {
        var ofUsers: [[String]: Int] = [:]
        var ofKinds: [[String]: Int] = [:]
        for (key, delta) in batchCounts {
            ofUsers[[key.userID, key.state], default: 0] += delta
            ofKinds[[key.kind, key.state], default: 0] += delta
        }
        for (key, delta) in ofUsers where delta != 0 {
            try execute(
                """
                INSERT INTO job_counts (user_id, state, count) VALUES (\(key[0]), \(key[1]), \(delta))
                ON CONFLICT (user_id, state) DO UPDATE SET count = job_counts.count + excluded.count
                """)
        }
        for (key, delta) in ofKinds where delta != 0 {
            try execute(
                """
                INSERT INTO job_kind_counts (kind, state, count) VALUES (\(key[0]), \(key[1]), \(delta))
                ON CONFLICT (kind, state) DO UPDATE SET count = job_kind_counts.count + excluded.count
                """)
        }
    }
}

struct JobCountKey: Hashable {
    var userID: String
    var kind: String
    var state: String
}
