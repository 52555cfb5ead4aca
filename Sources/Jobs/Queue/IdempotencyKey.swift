import Model
import Storage

extension JobQueue {
    /// An idempotency key with the hash of the request that it stands for.
    package struct IdempotencyKey: Sendable {
        package var key: String
        package var fingerprint: String

        package init(key: String, fingerprint: String) {
            self.key = key
            self.fingerprint = fingerprint
        }

        /// What the request made that the key stands for.
        ///
        /// A key ends with what it made: where nothing of that is left, the request is a new one.
        ///
        /// - Parameter isLeft: whether anything with one of these ids is.
        /// - Returns: the ids; `nil` when the key stands for nothing.
        /// - Throws: ``SubmissionError/idempotencyKeyReused``, when the key stands for another request.
        package func answer(
            for userID: String, in transaction: WriteTransaction, isLeft: (_ ids: [String]) throws -> Bool
        ) throws -> [String]? {
            guard let answer = try transaction.jobs.idempotentAnswer(key: key, userID: userID) else { return nil }
            guard try isLeft(answer.resourceIDs) else {
                try transaction.jobs.forgetIdempotentAnswer(key: key, userID: userID)
                return nil
            }
            guard answer.fingerprint == fingerprint else { throw SubmissionError.idempotencyKeyReused }
            return answer.resourceIDs
        }
    }
}
