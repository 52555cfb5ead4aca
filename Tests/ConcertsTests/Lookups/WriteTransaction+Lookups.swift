import Concerts
import JobStorage
import Model
import Storage

extension WriteTransaction {
    /// Inserts lookups as jobs, as the gateway submits them.
    ///
    /// - Parameter claim: a worker that has the jobs; `nil` leaves them queued.
    func insert(_ lookups: [ConcertSearches.Lookup], claim: JobInsertion.Claim? = nil) throws {
        for lookup in lookups {
            // One time for both: a job that may run later than it was created is scheduled, not queued.
            let now = Timestamp.now()
            try jobs.insert(
                JobInsertion(
                    id: lookup.jobID, userID: SystemUser.id, kind: "concerts.lookup", version: 1, payload: "{}",
                    priority: 10, maximumAttempts: 5, createdAt: now, runAt: now, claim: claim,
                    onBehalfOf: lookup.userID))
        }
    }
}
