import Contracts
import Model
import Storage

extension JobQueue {
    /// The most jobs that one transaction submits for schedules, so that nobody waits for it.
    static let scheduleBatch = 200

    /// Submits the jobs of all schedules of domains that are due. A job and the schedule's next time are one
    /// transaction, so each time makes one job, and while a job of a schedule has not ended no other is submitted.
    ///
    /// - Parameter kinds: finds a kind by its name. A schedule of a kind that is known no longer submits nothing.
    package func submitDueSchedules(
        kinds: @escaping @Sendable (String) -> JobKind? = { JobKind.named($0) }
    ) async throws {
        // Most looks find nothing to do, and cost no write.
        guard try await database.read({ try $0.jobs.areSchedulesDue(now: .now()) }) else { return }
        var hasMore = true
        while hasMore, !Task.isCancelled {
            hasMore = try await write { transaction, submissions in
                var generator = SystemRandomNumberGenerator()
                let (due, hasMore) = try transaction.jobs.advanceSchedules(
                    now: .now(), limit: Self.scheduleBatch, using: &generator)
                for schedule in due {
                    guard let kind = kinds(schedule.kind) else { continue }
                    let job = NewJob(kind: kind, payload: "{}", uniqueKey: "schedule:\(kind.name)")
                    do {
                        try submissions.submit(job, userID: schedule.userID, in: transaction)
                    } catch SubmissionError.uniqueKeyReused {
                        // The one that has not ended is of an earlier version of its kind.
                    }
                }
                return hasMore
            }
        }
    }
}
