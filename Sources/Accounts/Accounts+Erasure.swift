import Model
import Storage

/// How often what was written meanwhile is looked for at once, before it is left to ``Accounts/eraseLeftovers``.
private let erasurePasses = 3

extension Accounts {
    /// Cancels a user's unfinished jobs in steps, has their workers stop, and says how many.
    package typealias CancelJobs = @Sendable (_ userID: String, _ writes: SteppedWrites) async throws -> Int

    /// Erases a person: their profile, tokens and sessions, and their rows in every table of ``PersonalTables``.
    ///
    /// They are gone when the first transaction commits (``beginErasure(userID:)``), and signed out with it. What a
    /// process that dies has not erased, and what a request or a worker that was under way writes in their name after
    /// that, is found by ``eraseLeftovers(tables:by:cancelJobs:)``. So is what has to wait because ends of their jobs
    /// are refused. The write-ahead log still holds what was erased; that it is to be cut off is noted with the last
    /// of it (``CleaningState``).
    ///
    /// - Parameter writes: how rows are deleted.
    /// - Returns: how many jobs were cancelled.
    @discardableResult
    package func erase(
        userID: String, tables: PersonalTables, by writes: SteppedWrites, cancelJobs: CancelJobs
    ) async throws -> Int {
        try await beginErasure(userID: userID)
        return try await finishErasure(userID: userID, tables: tables, by: writes, cancelJobs: cancelJobs)
    }

    /// Deletes a person, and with them what references their row; signs them out; notes that the rest is to go.
    package func beginErasure(userID: String) async throws {
        try await database.write { try $0.accounts.beginErasure(ofUser: userID, now: .now()) }
    }

    /// Erases the rows of a person whose erasure has begun.
    ///
    /// - Returns: how many jobs were cancelled.
    @discardableResult
    package func finishErasure(
        userID: String, tables: PersonalTables, by writes: SteppedWrites, cancelJobs: CancelJobs
    ) async throws -> Int {
        let (cancelled, owed) = try await eraseRows(userID: userID, tables: tables, by: writes, cancelJobs: cancelJobs)
        if owed == nil { try await finishErasures(of: [userID]) }
        return cancelled
    }

    /// - Returns: how many jobs were cancelled, and why the rest has to wait, if it does.
    private func eraseRows(
        userID: String, tables: PersonalTables, by writes: SteppedWrites, cancelJobs: CancelJobs
    ) async throws -> (cancelled: Int, owed: EndsStillOwed?) {
        var cancelled = 0
        for _ in 0..<erasurePasses {
            cancelled += try await cancelJobs(userID, writes)
            do {
                // Once more when there was something, for what a request that was under way has written since.
                guard try await tables.eraseRows(of: userID, in: database, by: writes) else { break }
            } catch let owed as EndsStillOwed {
                return (cancelled, owed)
            }
        }
        return (cancelled, nil)
    }

    /// No row of them is left. The log has copies, which are cut off for all who left meanwhile at once.
    private func finishErasures(of userIDs: [String]) async throws {
        try await database.write { transaction in
            try transaction.accounts.endErasures(ofUsers: userIDs)
            try transaction.noteCleaningDue(now: .now())
        }
    }

    /// Erases what is left of people who are gone.
    ///
    /// One that fails, or has to wait, keeps no other from being finished.
    ///
    /// - Returns: of how many there was something.
    /// - Throws: what the first of those failed of that are not finished, when the others are.
    @discardableResult
    package func eraseLeftovers(
        tables: PersonalTables, by writes: SteppedWrites, cancelJobs: CancelJobs
    ) async throws -> Int {
        let gone = try await database.read { reader in
            let begun = try reader.accounts.unfinishedErasures(limit: 100)
            return begun
                + (try tables.goneOwners(exempt: SystemUser.id, limit: 100, in: reader).filter { !begun.contains($0) })
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

    /// Cancels jobs in the database alone, for a process that has no dispatcher: a gateway and its workers
    /// find the runs gone when they ask for them.
    package func cancelJobs(ofUser userID: String, by writes: SteppedWrites) async throws -> Int {
        let jobs = try await database.read { try $0.jobs.unfinishedJobs(ofUser: userID) }
        writes.startAnew()
        try await writes.write(jobs) { transaction, jobs in
            let now = Timestamp.now()
            for job in jobs { _ = try transaction.jobs.cancel(jobID: job, userID: userID, as: .erased, now: now) }
        }
        return jobs.count
    }
}
