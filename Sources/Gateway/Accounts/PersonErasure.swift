import Accounts
import Jobs
import Model
import Storage

/// Erases people where jobs are handed out, so that their workers stop.
struct PersonErasure: Sendable {
    let accounts: Accounts
    let queue: JobQueue
    let tables: PersonalTables

    /// How often, a tenth of a second apart, readers may be in the way of cutting off the log before it is left to
    /// the gateway's upkeep.
    private static let checkpointTries = 20

    /// - Returns: when nothing of the person is in the database, nor, but for a reader that would not end, in its log.
    func erase(userID: String) async throws {
        try await accounts.erase(userID: userID, tables: tables, cancelJobs: queue.cancelJobs)
        try await cutOffLog()
    }

    /// Erases what requests and workers wrote in the name of people while these were erased.
    func eraseLeftovers() async throws {
        do {
            guard try await accounts.eraseLeftovers(tables: tables, cancelJobs: queue.cancelJobs) > 0 else { return }
        } catch {
            // Others may have been erased, and stand in the log.
            try? await cutOffLog()
            throw error
        }
        try await cutOffLog()
    }

    private func cutOffLog() async throws {
        for _ in 0..<Self.checkpointTries {
            if try await queue.database.checkpoint(truncates: true) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
