import Model
import Storage

extension JobQueue {
    /// Puts right what the counters say of people's unfinished submissions, where rows were lost or came back past the
    /// program: a database that was damaged and mended must lock nobody out.
    package func correctSubmissionCounts() async throws {
        for userID in try await database.read({ try $0.jobs.submitters() }) where !Task.isCancelled {
            do {
                // One snapshot holds rows and counter as one transaction left them, so that a difference is an error,
                // by which the counter is wrong later, too.
                let error = try await database.read { try $0.jobs.submissionCountError(ofUser: userID) }
                guard error != .none else { continue }
                try await database.write { $0.jobs.correctSubmissions(by: error, ofUser: userID) }
            } catch let error as StorageError where error.isDamage {
                // Whose rows cannot be read keeps their counter, and nobody else's waits for it.
                continue
            }
        }
    }
}
