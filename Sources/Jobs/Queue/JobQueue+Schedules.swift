import Contracts
import JobStorage
import Model
import Storage

extension JobQueue {
    /// The most jobs that one transaction submits for schedules, so that other writes wait only briefly.
    static let scheduleBatch = 200

    /// Submits the jobs of all domain schedules that are due. A job and the schedule's next time are one transaction,
    /// so each time makes one job. While a job of a schedule has not ended, no other is submitted. A schedule whose kind
    /// no longer exists submits nothing.
    package func submitDueSchedules() async throws {
        // Mostly none is due, and no write is needed.
        guard try await database.read({ try $0.jobs.areSchedulesDue(now: .now()) }) else { return }
        var hasMore = true
        while hasMore, !Task.isCancelled {
            hasMore = try await write { [kinds] transaction, submissions in
                var generator = SystemRandomNumberGenerator()
                let (due, hasMore) = try transaction.jobs.advanceSchedules(
                    now: .now(), limit: Self.scheduleBatch, using: &generator)
                for schedule in due {
                    guard let kind = kinds[schedule.kind] else { continue }
                    let job = NewJob(kind: kind, payload: "{}", uniqueKey: "schedule:\(kind.name)")
                    do {
                        try submissions.submit(job, userID: schedule.userID, in: transaction)
                    } catch SubmissionError.uniqueKeyReused {
                        // The unfinished job is of an earlier version of its kind.
                    }
                }
                return hasMore
            }
        }
    }
}
