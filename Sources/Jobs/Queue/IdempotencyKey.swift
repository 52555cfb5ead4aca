import JobStorage
import Model
import Storage

extension JobQueue {
    /// A request's `Idempotency-Key`, with a hash of the request.
    package struct IdempotencyKey: Sendable {
        package var key: String
        package var fingerprint: String

        package init(key: String, fingerprint: String) {
            self.key = key
            self.fingerprint = fingerprint
        }
    }
}

extension WriteTransaction {
    /// Carries out a request, unless an earlier request with the same key was carried out before.
    ///
    /// A key expires with what its request made: once nothing of that exists any longer, the request counts as a new
    /// one.
    ///
    /// - Parameters:
    ///   - key: `nil` for a request without a key, which is always carried out.
    ///   - exists: whether anything with one of these ids still exists.
    ///   - make: carries the request out and returns the ids of what it made.
    /// - Returns: the ids of what this request made, or the earlier one.
    /// - Throws: ``SubmissionError/idempotencyKeyReused`` when the key was sent with another request; the errors of
    ///   `make`.
    package func once(
        _ key: JobQueue.IdempotencyKey?, userID: String, exists: (_ ids: [String]) throws -> Bool,
        make: () throws -> [String]
    ) throws -> [String] {
        guard let key else { return try make() }
        if let earlier = try jobs.idempotentAnswer(key: key.key, userID: userID) {
            if try exists(earlier.resourceIDs) {
                guard earlier.fingerprint == key.fingerprint else { throw SubmissionError.idempotencyKeyReused }
                return earlier.resourceIDs
            }
            try jobs.forgetIdempotentAnswer(key: key.key, userID: userID)
        }
        let ids = try make()
        try jobs.rememberIdempotentAnswer(
            key: key.key, userID: userID, fingerprint: key.fingerprint, resourceIDs: ids, now: .now())
        return ids
    }
}
