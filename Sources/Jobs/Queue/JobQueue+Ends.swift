import Model
import Storage

extension JobQueue {
    /// The most ends that one transaction tries again, so that nobody waits for it.
    private static let endBatch = 100

    /// Tries the rows again that the database refused when jobs ended; what is refused again is told and comes later.
    ///
    /// - Returns: how many ends are written now.
    @discardableResult
    package func writePendingEnds() async throws -> Int {
        var written = 0
        // Most looks find nothing, and cost no write.
        while try await database.read({ try $0.jobs.hasPendingEnds(now: .now()) }) {
            let batch = try await database.write { try $0.jobs.writePendingEnds(now: .now(), limit: Self.endBatch) }
            written += batch.written
            if batch.tried < Self.endBatch { break }
        }
        return written
    }
}
