import GRDB

/// A transaction with many writes.
final class WriteBatch {
    private let connection: GRDB.Database
    private let transaction: WriteTransaction
    private var done: [(write: PendingWrite, answer: @Sendable () -> Void)] = []
    private var again: [PendingWrite] = []
    private var hasBegun = false

    private(set) var isLost = false

    init(connection: GRDB.Database, attachments: [any BatchAttachment]) {
        self.connection = connection
        transaction = WriteTransaction(connection: connection, attachments: attachments)
    }

    /// The number of entries that take part in the commit.
    var count: Int { done.count + again.count }

    func run(_ write: PendingWrite) {
        do {
            if !hasBegun {
                try connection.beginTransaction(.immediate)
                hasBegun = true
            }
        } catch {
            write.fail((error as? DatabaseError).map { StorageError($0, on: connection) } ?? error)
            return
        }
        do {
            if write.isolation == .savepoint { _ = try transaction.execute("SAVEPOINT entry") }
            let answer = try write.perform(transaction)
            // The entry may have caught an error that ended the transaction.
            guard connection.isInsideTransaction else { throw StorageError.transactionLost }
            if write.isolation == .savepoint { _ = try transaction.execute("RELEASE entry") }
            transaction.entrySucceeded()
            done.append((write, answer))
        } catch {
            transaction.entryRolledBack()
            guard write.isolation == .savepoint, connection.isInsideTransaction,
                (try? transaction.execute("ROLLBACK TO entry")) != nil,
                (try? transaction.execute("RELEASE entry")) != nil
            else {
                again.append(write)
                lose()
                return
            }
            write.fail(error)
        }
    }

    /// Closures of attachments to call once the batch is durable.
    var whenDurable: [@Sendable () -> Void] { isLost ? [] : transaction.whenDurable }
    /// The people whose rows it changed.
    var concernedUsers: Set<String> { isLost ? [] : transaction.concernedUsers }

    /// Commits the transaction.
    ///
    /// - Returns: the answers of the entries, and the entries to run again one by one because the transaction was lost.
    func commit() -> (done: [@Sendable () -> Void], again: [PendingWrite]) {
        if !isLost, hasBegun {
            do {
                try transaction.finishBatch()
                _ = try transaction.execute("COMMIT")
            } catch {
                lose()
            }
        }
        return isLost ? ([], again) : (done.map(\.answer), [])
    }

    /// Gives up the transaction: SQLite rolls back all of it on some errors, such as a full disk, and an entry without
    /// a savepoint cannot be rolled back alone. No entry is answered, and each runs again.
    private func lose() {
        if connection.isInsideTransaction { try? connection.rollback() }
        isLost = true
        again = done.map(\.write) + again
        done = []
    }
}
