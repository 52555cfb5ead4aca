import Contracts
import JobStorage
import Model
import Storage

/// Lookups are queued under the person who has waited longest for them.
extension ConcertSearches {
    /// What happened to lookups when a search stopped waiting for them.
    package struct ReleaseResult: Sendable {
        /// The lookups that nobody waits for any longer.
        package fileprivate(set) var cancelled: [CancelledJob] = []
        /// Whether other lookups are now queued under another person.
        package fileprivate(set) var haveMoved = false
    }

    /// Lets a person wait for a lookup that is under way. It remains queued under the person who came first, but before
    /// that person's other lookups: one person's question does not wait for all earlier questions of another person.
    ///
    /// A lookup that only refreshed what people watch is interactive from then on.
    static func join(_ jobID: String, _ userID: String, in transaction: WriteTransaction) throws {
        if try transaction.concerts.firstWaiter(jobID: jobID) == nil, try transaction.concerts.isRefresh(jobID: jobID) {
            _ = try transaction.jobs.setPerson(userID, ofJob: jobID)
            try transaction.jobs.raisePriority(ofJob: jobID, to: JobPriority.interactive, forOthersThan: "")
            return
        }
        try transaction.jobs.raisePriority(
            ofJob: jobID, to: JobPriority.awaitedByOthers, forOthersThan: userID)
    }

    /// Cancels lookups that nobody waits for any longer. Each other lookup is queued under the person who has waited
    /// longest among those who are left.
    ///
    /// - Parameter ending: how the cancelled jobs end.
    static func release(
        _ lookups: [String], as ending: FinalState = .cancelled, in transaction: WriteTransaction
    ) throws -> ReleaseResult {
        var released = ReleaseResult()
        for jobID in lookups {
            if let next = try transaction.concerts.firstWaiter(jobID: jobID) {
                if try transaction.jobs.setPerson(next, ofJob: jobID) { released.haveMoved = true }
            } else if try transaction.concerts.isRefresh(jobID: jobID) {
                // Somebody watches the artist or the city.
                if try transaction.jobs.setPerson(SystemUser.id, ofJob: jobID) { released.haveMoved = true }
            } else if let job = try transaction.jobs.cancel(
                jobID: jobID, userID: SystemUser.id, as: ending, now: .now())
            {
                released.cancelled.append(job)
            }
        }
        return released
    }

    /// Deletes searches of any people together with their targets, and cancels the lookups that no other search waits
    /// for.
    package static func delete(
        _ searches: [String], as ending: FinalState = .cancelled, in transaction: WriteTransaction
    ) throws -> ReleaseResult {
        try release(try transaction.concerts.deleteSearches(searches, as: ending), as: ending, in: transaction)
    }
}
