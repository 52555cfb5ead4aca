@testable import Storage

/// SQLite with the manners of a database across a network: statements whose count nobody uses are sent with the next
/// one that waits, and after an error the transaction accepts nothing but a rollback.
final class PipeliningEngine: StorageEngine {
    private let base: SQLiteEngine

    init(path: String) throws {
        base = try SQLiteEngine(path: path)
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    func withWriter<Value>(_ body: (any SQLConnection) -> Value) -> Value {
        base.withWriter { body(PipeliningConnection($0)) }
    }

    func tryLock() -> Bool { base.tryLock() }
    func lock() throws { try base.lock() }
    func unlock() { base.unlock() }
    var lockHolder: Int32? { base.lockHolder }
    func lockForGateway(timeout: Duration) async throws { try await base.lockForGateway(timeout: timeout) }
    var hasRoom: Bool { base.hasRoom }
    func close() { base.close() }
}

private final class PipeliningConnection: SQLConnection {
    private let base: any SQLConnection
    /// The statements that nobody has waited for, in order.
    private var sent: [() throws -> Void] = []
    private var isAborted = false

    init(_ base: any SQLConnection) {
        self.base = base
    }

    /// Performs what was sent before, then `body`.
    private func wait<Value>(_ body: () throws -> Value) throws -> Value {
        guard !isAborted else { throw StorageError.failed(code: 0, message: "The transaction is aborted.") }
        do {
            try performSent()
            return try body()
        } catch {
            isAborted = true
            throw error
        }
    }

    private func performSent() throws {
        let statements = sent
        sent = []
        for statement in statements { try statement() }
    }

    func rows(_ sql: SQL) throws -> [Row] { try wait { try base.rows(sql) } }
    func rows(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> [Row] { try wait { try base.rows(sql, values) } }
    func rows(_ sql: SQL, maximumBytes: Int) throws -> (rows: [Row], isComplete: Bool) {
        try wait { try base.rows(sql, maximumBytes: maximumBytes) }
    }
    func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws { try wait { try base.forEachRow(sql, body) } }
    func forEachInteger(_ sql: SQL, _ body: (Int64) throws -> RowLoop) throws {
        try wait { try base.forEachInteger(sql, body) }
    }

    func execute(_ sql: SQL) throws -> Int {
        guard sql.text.hasPrefix("ROLLBACK TO ") else { return try wait { try base.execute(sql) } }
        // Errors of what was sent are undone with the rest. The savepoint may be among it.
        if !isAborted { try? performSent() }
        isAborted = false
        return try wait { try base.execute(sql) }
    }
    func execute(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> Int { try wait { try base.execute(sql, values) } }
    func run(_ sql: SQL) throws { sent.append { [base] in try base.run(sql) } }
    func run(_ sql: ConstantSQL, _ values: [SQLValue]) throws { sent.append { [base] in try base.run(sql, values) } }

    func begin() throws { try base.begin() }
    func commit() throws { try wait { try base.commit() } }
    func rollback() {
        (sent, isAborted) = ([], false)
        base.rollback()
    }
    var isInsideTransaction: Bool { base.isInsideTransaction }
    var hasWritten: Bool { base.hasWritten }
}
