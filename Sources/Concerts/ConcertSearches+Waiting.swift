import Contracts
import Model
import Storage

/// For whom lookups are made: a lookup queues under the person who has waited longest for it.
extension ConcertSearches {
    /// What became of the lookups that somebody no longer waits for.
    package struct Released: Sendable {
        /// Those that nobody waits for any more.
        package fileprivate(set) var cancelled: [CancelledJob] = []
        /// Whether others queue under another person from now on.
        package fileprivate(set) var haveMoved = false
    }

    /// Has a person wait for a lookup as well that is under way. It stays under whom it is for, and comes first among
    /// theirs: nobody's question waits behind all that somebody else has asked before.
    static func join(_ jobID: String, _ userID: String, in transaction: WriteTransaction) throws {
        try transaction.jobs.raisePriority(
            ofJob: jobID, to: JobPriority.awaitedByOthers, forOthersThan: userID)
    }

    /// Cancels lookups that nobody waits for any more; each of the others goes to the person who has waited longest of
    /// those that are left.
    ///
    /// - Parameter ending: what ends of jobs are told of those that are cancelled.
    static func release(
        _ lookups: [String], as ending: JobEnding = .cancelled, in transaction: WriteTransaction
    ) throws -> Released {
        var released = Released()
        for jobID in lookups {
            if let next = try transaction.concerts.firstWaiter(jobID: jobID) {
                if try transaction.jobs.setPerson(next, ofJob: jobID) { released.haveMoved = true }
            } else if let job = try transaction.jobs.cancel(
                jobID: jobID, userID: SystemUser.id, as: ending, now: .now())
            {
                released.cancelled.append(job)
            }
        }
        return released
    }

    /// Deletes searches, whosever they are, with what they name; a lookup that only they waited for is cancelled.
    package static func delete(
        _ searches: [String], as ending: JobEnding = .cancelled, in transaction: WriteTransaction
    ) throws -> Released {
        try release(try transaction.concerts.deleteSearches(searches), as: ending, in: transaction)
    }
}
