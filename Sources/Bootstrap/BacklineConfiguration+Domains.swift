import Concerts
import Contracts
import Jobs

extension BacklineConfiguration {
    /// The recurring schedules.
    ///
    /// - Throws: ``UnknownScheduleKind``.
    package var recurringSchedules: [RecurringSchedule] {
        get throws {
            try schedules.map { schedule in
                guard let kind = JobKind.named(schedule.kind) else { throw UnknownScheduleKind(schedule: schedule) }
                return RecurringSchedule(
                    name: schedule.name, kind: kind, payload: schedule.payload, interval: schedule.interval)
            }
        }
    }
}

extension BacklineConfiguration {
    /// The built-in names of cities, together with those of `concerts.cityNamesFile`.
    package var cityNames: CityNames {
        get throws { try concerts.cityNamesFile.map { try CityNames.builtIn.extended(byFileAt: $0) } ?? .builtIn }
    }
}

/// A schedule names a kind of job that does not exist.
struct UnknownScheduleKind: Error, CustomStringConvertible {
    var schedule: BacklineConfiguration.Schedule

    var description: String {
        "schedules.\(schedule.name).kind is '\(schedule.kind)'; allowed: "
            + JobKind.all.map(\.name).joined(separator: ", ")
    }
}
