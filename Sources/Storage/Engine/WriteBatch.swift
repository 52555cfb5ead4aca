/// A transaction with many writes.
final class WriteBatch {
    /// The outcome of the entries.
    struct Outcome {
        /// The answers of the entries that are durable.
        var done: [@Sendable () -> Void] = []
        /// Entries of a lost transaction that were not the cause, to run again together.
        var again: [PendingWrite] = []
        /// Entries to run again one by one.
        var alone: [PendingWrite] = []
    }

    private let connection: any SQLConnection
    private let schema: Schema
    private let transaction: WriteTransaction
    private var done: [(write: PendingWrite, answer: @Sendable () -> Void)] = []
    private var lost = Outcome()
    private var hasBegun = false

    private(set) var isLost = false
    /// The number of entries that were run, whether they succeeded or not.
    private(set) var attempts = 0

    init(connection: any SQLConnection, schema: Schema, attachments: [any BatchAttachment]) {
        self.connection = connection
        self.schema = schema
        transaction = WriteTransaction(connection: connection, attachments: attachments)
    }

    func run(_ write: PendingWrite) {
        attempts += 1
        do {
            if !hasBegun {
                try connection.begin()
                try transaction.requireKnown(schema)
                hasBegun = true
            }
        } catch {
            connection.rollback()
            write.fail(error)
            return
        }
        do {
            if write.isolation == .savepoint { try transaction.run("SAVEPOINT entry") }
            let answer = try write.perform(transaction)
            // The entry may have caught an error that ended the transaction.
            guard connection.isInsideTransaction else { throw StorageError.transactionLost }
            if let damage = transaction.damage { throw damage }
            // Waits, so that the error of a statement that was sent without waiting is this entry's.
            if write.isolation == .savepoint { _ = try transaction.execute("RELEASE entry") }
            transaction.entrySucceeded()
            done.append((write, answer))
        } catch {
            transaction.entryRolledBack()
            guard write.isolation == .savepoint, connection.isInsideTransaction, transaction.damage == nil,
                (try? transaction.execute("ROLLBACK TO entry")) != nil,
                (try? transaction.execute("RELEASE entry")) != nil
            else {
                lose()
                lost = Outcome(again: done.map(\.write), alone: [write])
                return
            }
            write.fail(error)
        }
    }

    /// Closures of attachments to call once the batch is durable.
    var whenDurable: [@Sendable () -> Void] { isLost ? [] : transaction.whenDurable }
    /// The people whose rows it changed, by topic.
    var notes: ChangeNotifications { isLost ? ChangeNotifications() : transaction.notes }

    /// Commits the transaction.
    func commit() -> Outcome {
        if !isLost, hasBegun {
            do {
                try transaction.finishBatch()
                try connection.commit()
            } catch {
                lose()
                // Any of them may be the cause.
                lost = Outcome(alone: done.map(\.write))
            }
        }
        return isLost ? lost : Outcome(done: done.map(\.answer))
    }

    /// Gives up the transaction without answering any entry. Some errors roll back all of it, such as SQLite's for a
    /// full disk; an entry without a savepoint cannot be rolled back alone; and after a damaged page
    /// (``WriteTransaction/damage``) nothing more can be written in the transaction.
    private func lose() {
        connection.rollback()
        isLost = true
    }
}
