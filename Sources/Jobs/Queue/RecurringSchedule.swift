import Contracts
import JobStorage
import Logging
import Model
import Storage

/// A recurring job from the configuration (`schedules.NAME`).
package struct RecurringSchedule: Sendable {
    package var name: String
    package var kind: JobKind
    /// The payload as JSON.
    package var payload: String
    package var interval: Duration

    package init(name: String, kind: JobKind, payload: String, interval: Duration) {
        self.name = name
        self.kind = kind
        self.payload = payload
        self.interval = interval
    }
}

extension JobQueue {
    /// Submits the job of a schedule if it is due. The job and the schedule's next time are one transaction, so each
    /// time makes one job. While a job of the schedule has not ended, no other is submitted.
    package func submitIfDue(_ schedule: RecurringSchedule) async throws {
        let dueAt = try await database.read { try $0.jobs.nextTime(ofSchedule: schedule.name) }
        // Usually it is not due, and no write is needed.
        let looked = Timestamp.now()
        if let dueAt, dueAt > looked, dueAt <= looked.advanced(by: schedule.interval) { return }
        try await write { transaction, submissions in
            let now = Timestamp.now()
            guard try transaction.jobs.advanceSchedule(name: schedule.name, every: schedule.interval, now: now) else {
                return
            }
            let job = NewJob(
                kind: schedule.kind, payload: schedule.payload, uniqueKey: "schedule:\(schedule.name)")
            do {
                try submissions.submit(job, userID: SystemUser.id, in: transaction)
            } catch SubmissionError.uniqueKeyReused {
                // The unfinished job has the payload from before the schedule was changed.
            }
        }
    }
}
