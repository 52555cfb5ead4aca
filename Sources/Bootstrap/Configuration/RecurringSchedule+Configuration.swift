import Contracts
import Jobs

extension BacklineConfiguration {
    /// The recurring schedules.
    ///
    /// - Parameter kinds: all kinds of jobs.
    /// - Throws: ``UnknownScheduleKind``.
    package func recurringSchedules(kinds: JobKinds) throws -> [RecurringSchedule] {
        try schedules.map { schedule in
            guard let kind = kinds[schedule.kind] else { throw UnknownScheduleKind(schedule: schedule, kinds: kinds) }
            return RecurringSchedule(
                name: schedule.name, kind: kind, payload: schedule.payload, interval: schedule.interval)
        }
    }
}

/// A schedule names a kind of job that does not exist.
struct UnknownScheduleKind: Error, CustomStringConvertible {
    var schedule: BacklineConfiguration.Schedule
    /// All kinds of jobs.
    var kinds: JobKinds

    var description: String {
        "schedules.\(schedule.name).kind is '\(schedule.kind)'; allowed: "
            + kinds.all.map(\.name).joined(separator: ", ")
    }
}
