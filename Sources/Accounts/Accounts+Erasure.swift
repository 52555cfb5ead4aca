import Model
import Storage

/// How many rows of a user one transaction cancels or deletes, so that nobody waits for it.
private let erasureBatch = 500
/// How often what was written meanwhile is looked for at once, before it is left to ``Accounts/eraseLeftovers``.
private let erasurePasses = 3

extension Accounts {
    /// Cancels up to `limit` unfinished jobs of a user, has their workers stop, and says how many.
    package typealias CancelJobs = @Sendable (_ userID: String, _ limit: Int) async throws -> Int

    /// Erases a person: their profile, tokens and sessions, and their rows in every table of ``PersonalTables``.
    ///
    /// They are gone when the first transaction commits, and signed out with it. What a process that dies has not
    /// erased, and what a request or a worker that was under way writes in their name after that, is found by
    /// ``eraseLeftovers(tables:cancelJobs:)``. So is what has to wait because ends of their jobs are refused. The
    /// write-ahead log still holds what was erased until a checkpoint has cut it off.
    ///
    /// - Returns: how many jobs were cancelled.
    @discardableResult
    package func erase(userID: String, tables: PersonalTables, cancelJobs: CancelJobs) async throws -> Int {
        try await database.write { try $0.accounts.beginErasure(ofUser: userID, now: .now()) }
        let (cancelled, owed) = try await eraseRows(userID: userID, tables: tables, cancelJobs: cancelJobs)
        if owed == nil { try await finishErasures(of: [userID]) }
        return cancelled
    }

    /// - Returns: how many jobs were cancelled, and why the rest has to wait, if it does.
    private func eraseRows(
        userID: String, tables: PersonalTables, cancelJobs: CancelJobs
    ) async throws -> (cancelled: Int, owed: EndsStillOwed?) {
        var cancelled = 0
        for _ in 0..<erasurePasses {
            while case let count = try await cancelJobs(userID, erasureBatch), count > 0 { cancelled += count }
            do {
                // Once more when there was something, for what a request that was under way has written since.
                guard try await tables.eraseRows(of: userID, batch: erasureBatch, in: database) else { break }
            } catch let owed as EndsStillOwed {
                return (cancelled, owed)
            }
        }
        return (cancelled, nil)
    }

    /// Writes the pages anew, once for all of them; until that is done they are among the leftovers.
    private func finishErasures(of userIDs: [String]) async throws {
        try await database.compact()
        try await database.write { try $0.accounts.endErasures(ofUsers: userIDs) }
    }

    /// Erases what is left of people who are gone.
    ///
    /// One that fails, or has to wait, keeps no other from being finished.
    ///
    /// - Returns: of how many there was something.
    /// - Throws: what the first of those failed of that are not finished, when the others are.
    @discardableResult
    package func eraseLeftovers(tables: PersonalTables, cancelJobs: CancelJobs) async throws -> Int {
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
                let (_, owed) = try await eraseRows(userID: userID, tables: tables, cancelJobs: cancelJobs)
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
    package func cancelJobs(ofUser userID: String, limit: Int) async throws -> Int {
        try await database.write { transaction in
            let jobs = try transaction.jobs.unfinishedJobs(ofUser: userID, limit: limit)
            let now = Timestamp.now()
            for job in jobs { _ = try transaction.jobs.cancel(jobID: job, userID: userID, as: .erased, now: now) }
            return jobs.count
        }
    }
}
