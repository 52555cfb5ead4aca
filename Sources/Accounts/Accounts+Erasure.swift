import Model
import Storage

/// How many jobs of a user one transaction cancels or deletes, so that nobody waits for it.
private let erasureBatch = 500

extension Accounts {
    /// Erases a person: their profile, tokens, sessions, secrets, connections, artists, searches and jobs.
    ///
    /// They are gone when the first transaction commits, and signed out with it. What a request or a worker that
    /// was under way writes in their name after that is found by ``eraseLeftovers(cancelJobs:)``.
    /// The write-ahead log still holds what was erased until a checkpoint has cut it off.
    ///
    /// - Parameter cancelJobs: cancels up to so many unfinished jobs of theirs, has their workers stop, and says how
    ///   many.
    /// - Returns: how many jobs were cancelled.
    @discardableResult
    package func erase(
        userID: String, cancelJobs: @Sendable (_ userID: String, _ limit: Int) async throws -> Int
    ) async throws -> Int {
        try await database.write { try $0.deleteUser(id: userID) }
        let cancelled = try await eraseRows(userID: userID, cancelJobs: cancelJobs)
        try await database.compact()
        return cancelled
    }

    private func eraseRows(
        userID: String, cancelJobs: @Sendable (_ userID: String, _ limit: Int) async throws -> Int
    ) async throws -> Int {
        var cancelled = 0
        while case let count = try await cancelJobs(userID, erasureBatch), count > 0 { cancelled += count }
        while try await database.write({ try $0.eraseJobs(ofUser: userID, limit: erasureBatch) }) > 0 {}
        let others = try await database.read { try $0.jobs(naming: userID, owner: SystemUser.id) }
        try await database.write { transaction in
            for id in others { try transaction.eraseJob(id: id) }
            // Again, for what a request that was under way has written since.
            try transaction.deleteUser(id: userID)
            try transaction.eraseJobCounts(ofUser: userID)
        }
        return cancelled
    }

    /// Erases what is left of people who are gone, and writes the pages anew once for all of them.
    ///
    /// - Returns: of how many there was something.
    @discardableResult
    package func eraseLeftovers(
        cancelJobs: @Sendable (_ userID: String, _ limit: Int) async throws -> Int
    ) async throws -> Int {
        let gone = try await database.read { try $0.goneUsersWithRows(exempt: SystemUser.id, limit: 100) }
        for userID in gone {
            _ = try await eraseRows(userID: userID, cancelJobs: cancelJobs)
        }
        if !gone.isEmpty { try await database.compact() }
        return gone.count
    }

    /// Cancels jobs in the database alone, for a process that has no dispatcher: a gateway and its workers
    /// find the runs gone when they ask for them.
    package func cancelJobs(ofUser userID: String, limit: Int) async throws -> Int {
        try await database.write { transaction in
            let jobs = try transaction.unfinishedJobs(ofUser: userID, limit: limit)
            let now = Timestamp.now()
            for job in jobs { _ = try transaction.cancel(jobID: job, userID: userID, as: .erased, now: now) }
            return jobs.count
        }
    }
}
