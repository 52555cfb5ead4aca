/// A connection to the database, in the words of any engine. One thread at a time uses it.
///
/// The transactions that callers get (``ReadTransaction``, ``WriteTransaction``) run their statements on it. Every error
/// is a ``StorageError``.
protocol SQLConnection: AnyObject {
    // MARK: Reading

    /// All rows of the result.
    func rows(_ sql: SQL) throws -> [Row]
    /// All rows of a constant statement's result.
    ///
    /// - Parameter values: a value for each `?`, in order.
    func rows(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> [Row]
    /// The first rows of the result, up to the row with which their texts and blobs reach `maximumBytes`.
    func rows(_ sql: SQL, maximumBytes: Int) throws -> (rows: [Row], isComplete: Bool)
    /// Calls `body` with each row of the result, without holding all of them in memory.
    func forEachRow(_ sql: SQL, _ body: (Row) throws -> RowLoop) throws
    /// Calls `body` with the first column of each row, an integer that is not NULL.
    func forEachInteger(_ sql: SQL, _ body: (Int64) throws -> RowLoop) throws

    // MARK: Writing

    /// Runs a statement, and waits for its end.
    ///
    /// - Returns: the number of rows that it changed.
    func execute(_ sql: SQL) throws -> Int
    /// Like ``execute(_:)``, for a constant statement.
    ///
    /// - Parameter values: a value for each `?`, in order.
    func execute(_ sql: ConstantSQL, _ values: [SQLValue]) throws -> Int
    /// Runs a statement whose effect nobody counts. The engine may send it later, before the next call that waits: any
    /// of the others but `run` itself. That call then throws the statement's error.
    func run(_ sql: SQL) throws
    /// Like ``run(_:)``, for a constant statement.
    ///
    /// - Parameter values: a value for each `?`, in order.
    func run(_ sql: ConstantSQL, _ values: [SQLValue]) throws

    // MARK: Transactions

    /// Begins a transaction for writing. It sees everything that was committed before.
    func begin() throws
    /// Commits the transaction. It is durable when this returns.
    func commit() throws
    /// Rolls back the transaction, if there is one.
    func rollback()
    /// Whether a transaction has begun and not ended. An error may end it.
    var isInsideTransaction: Bool { get }
    /// Whether something was written to the disk since the last transaction began.
    var hasWritten: Bool { get }
}
