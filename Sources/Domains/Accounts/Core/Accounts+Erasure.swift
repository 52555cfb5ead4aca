import JobStorage
import Model
import Storage

/// The most passes over a person's rows at once. Rows that are still written after them are left to
/// ``Accounts/eraseLeftovers``.
private let erasurePasses = 3

extension Accounts {
    /// Cancels a user's unfinished jobs in steps, stops their workers, and returns the number of jobs.
    package typealias CancelJobs = @Sendable (_ userID: String, _ writes: SteppedWrites) async throws -> Int

    /// Erases a person: their profile, tokens and sessions, and their rows in every table of ``PersonalTables``.
    ///
    /// The first transaction deletes the person and signs them out (``beginErasure(userID:)``).
    /// ``eraseLeftovers(tables:by:cancelJobs:)`` later finds rows that remain after a crash, rows that a running
    /// request or worker writes in their name, and rows that wait because ends of their jobs are refused. The
    /// write-ahead log still holds erased rows; the last transaction marks it for truncation (``CleaningState``).
    ///
    /// - Parameters:
    ///   - writes: deletes rows in steps.
    ///   - whenGone: called when the person is gone and signed out, before their other rows are deleted.
    /// - Returns: the number of cancelled jobs.
    /// - Throws: ``StorageError``.
    @discardableResult
    package func erase(
        userID: String, tables: PersonalTables, by writes: SteppedWrites, cancelJobs: CancelJobs,
        whenGone: () async -> Void = {}
    ) async throws -> Int {
        try await beginErasure(userID: userID)
        await whenGone()
        return try await finishErasure(userID: userID, tables: tables, by: writes, cancelJobs: cancelJobs)
    }

    /// Deletes a person with the rows that reference them, signs them out, holds their names, and marks the rest for
    /// erasure.
    ///
    /// - Parameter keepsAdministrator: refuses to erase the only administrator while others are here.
    /// - Throws: ``AccountError/lastAdministrator``; ``StorageError``.
    package func beginErasure(userID: String, keepsAdministrator: Bool = false) async throws {
        let heldNames = self.heldNames
        try await database.write { transaction in
            if keepsAdministrator, try transaction.accounts.isLastAdministrator(userID) {
                throw AccountError.lastAdministrator
            }
            try transaction.accounts.beginErasure(ofUser: userID, heldNames: heldNames, now: .now())
        }
    }

    /// Marks a removed person's rows for erasure again, because a request that began before the removal may have written
    /// more of them since.
    ///
    /// - Returns: whether the person is removed.
    /// - Throws: ``StorageError``.
    package func eraseAgain(ifRemoved userID: String) async throws -> Bool {
        guard try await database.read({ try $0.accounts.user(id: userID) == nil }) else { return false }
        try await beginErasure(userID: userID)
        return true
    }

    /// Whether unfinished erasures were begun in a period.
    package func hasErasures(begunIn period: ClosedRange<Timestamp>) async throws -> Bool {
        try await database.read { try $0.accounts.hasErasures(begunIn: period) }
    }

    /// Erases the rows of a person whose erasure has begun.
    ///
    /// - Returns: the number of cancelled jobs.
    @discardableResult
    package func finishErasure(
        userID: String, tables: PersonalTables, by writes: SteppedWrites, cancelJobs: CancelJobs
    ) async throws -> Int {
        let (cancelled, owed) = try await eraseRows(userID: userID, tables: tables, by: writes, cancelJobs: cancelJobs)
        if owed == nil { try await finishErasures(of: [userID]) }
        return cancelled
    }

    /// - Returns: the number of cancelled jobs, and the reason why the rest has to wait, if it does.
    private func eraseRows(
        userID: String, tables: PersonalTables, by writes: SteppedWrites, cancelJobs: CancelJobs
    ) async throws -> (cancelled: Int, owed: PendingHooks?) {
        var cancelled = 0
        for _ in 0..<erasurePasses {
            cancelled += try await cancelJobs(userID, writes)
            do {
                // Another pass if rows were found: a running request may have written more.
                guard try await tables.eraseRows(of: userID, in: database, by: writes) else { break }
            } catch let owed as PendingHooks {
                return (cancelled, owed)
            }
        }
        return (cancelled, nil)
    }

    /// Ends the erasure of people without rows. Marks the log for truncation, because it holds copies of their rows.
    private func finishErasures(of userIDs: [String]) async throws {
        try await database.write { transaction in
            try transaction.accounts.endErasures(ofUsers: userIDs)
            try transaction.recordCleaningDue(now: .now())
        }
    }

    /// Erases the remaining rows of people who are gone. A person whose erasure fails or has to wait does not delay the
    /// others.
    ///
    /// - Returns: the number of people whose rows were erased.
    /// - Throws: the first error of an unfinished erasure, after the others are finished.
    @discardableResult
    package func eraseLeftovers(
        tables: PersonalTables, by writes: SteppedWrites, cancelJobs: CancelJobs
    ) async throws -> Int {
        let gone = try await database.read { reader in
            try reader.accounts.unfinishedErasures(limit: 100)
                + (try reader.accounts.unmarkedErasures(tables: tables, limit: 100))
        }
        guard !gone.isEmpty else { return 0 }
        var erased: [String] = []
        var firstError: (any Error)?
        for userID in gone {
            do {
                let (_, owed) = try await eraseRows(
                    userID: userID, tables: tables, by: writes, cancelJobs: cancelJobs)
                if let owed { throw owed }
                erased.append(userID)
            } catch {
                firstError = firstError ?? error
            }
        }
        if !erased.isEmpty { try await finishErasures(of: erased) }
        if let firstError { throw firstError }
        return erased.count
    }

    /// Cancels jobs only in the database, for a process without a dispatcher. A gateway and its workers find out when
    /// they next use the runs.
    package func cancelJobs(ofUser userID: String, by writes: SteppedWrites) async throws -> Int {
        let jobs = try await database.read { try $0.jobs.unfinishedJobs(ofUser: userID) }
        writes.resetSize()
        try await writes.write(jobs, bytes: \.bytes) { transaction, jobs in
            let now = Timestamp.now()
            for job in jobs { _ = try transaction.jobs.cancel(jobID: job.key, userID: userID, as: .erased, now: now) }
        }
        return jobs.count
    }
}
