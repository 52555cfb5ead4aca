import Model
import Storage

extension WriteTransaction {
    /// Inserts a lookup that waits, as the gateway submits it for somebody.
    ///
    /// - Returns: its id.
    func submitLookup(for userID: String) throws -> String {
        let job = JobInsertion(
            id: UUIDv7.next(), userID: SystemUser.id, kind: "concerts.lookup", version: 1, payload: "{}",
            priority: 10, maximumAttempts: 5, createdAt: .now(), runAt: .now(), onBehalfOf: userID)
        try jobs.insert(job)
        return job.id
    }
}
