import JobStorage
import Model

extension WaitingJob {
    /// Longer than any run postpones its job: pauses and quotas of services end within a day, and all other waits are
    /// shorter.
    static let longestWait = Duration.seconds(2 * 86_400)

    /// When a scheduled job is due.
    ///
    /// If the wait began in the future, the clock has been set back since. The time until which the job was postponed
    /// is wrong by the same amount, so the job waits for the same duration from now on. The clock can also have been
    /// set back during the run, after the time was determined: then the wait counts from the beginning of the run if
    /// that is in the future, and otherwise is ``longestWait`` at most. A `runAt` that a person submitted stays as it
    /// is.
    func due(now: Timestamp) -> Timestamp {
        guard let startedAt else {
            return isSubmission || createdAt <= now ? runAt : end(ofWaitFrom: createdAt, movedTo: now)
        }
        if let plannedAt, plannedAt > now { return end(ofWaitFrom: plannedAt, movedTo: now) }
        // A time before the start of the run was set after the clock had been corrected. So may a later one be, if the
        // clock was ahead by less than the wait: then the wait is shorter by as much as the clock was ahead.
        if startedAt > now, startedAt <= runAt || plannedAt == nil { return end(ofWaitFrom: startedAt, movedTo: now) }
        return min(runAt, (plannedAt ?? now).advanced(by: Self.longestWait))
    }

    private func end(ofWaitFrom start: Timestamp, movedTo now: Timestamp) -> Timestamp {
        now.advanced(by: min(max(.zero, start.duration(to: runAt)), Self.longestWait))
    }
}
