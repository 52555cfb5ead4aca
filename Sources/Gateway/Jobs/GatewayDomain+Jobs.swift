import JobStorage
import Jobs
import Model
import Storage

extension GatewayDomain {
    /// How long an idempotency key is kept.
    private static let idempotencyKeyLifetime = Duration.seconds(86_400)

    /// The routes of jobs, and the upkeep of the tables of jobs.
    ///
    /// - Parameters:
    ///   - retention: how long finished jobs are kept if their kind does not set its own time.
    ///   - schedules: the recurring jobs from the configuration.
    package static func jobs(
        _ services: GatewayServices, retention: Duration, schedules: [RecurringSchedule]
    ) -> GatewayDomain {
        let (queue, database) = (services.queue, services.database)
        return GatewayDomain(
            "jobs",
            routes: { JobRoutes(queue: queue, maximumBodyBytes: services.maximumBodyBytes).add(to: $0.signedIn) },
            upkeepSteps: schedules.map { schedule in
                UpkeepStep("submitSchedule.\(schedule.name)", every: .seconds(1), startsAtOnce: true) {
                    try await queue.submitIfDue(schedule)
                }
            } + [
                UpkeepStep("submitDomainSchedules", every: .seconds(1), startsAtOnce: true) {
                    try await queue.submitDueSchedules()
                },
                UpkeepStep("writePendingEnds", every: .seconds(1)) { try await queue.runPendingHooks() },
                UpkeepStep(pruning: "prune", every: pruneInterval, startsAtOnce: true) { time in
                    try await queue.prune(retention: retention, at: time)
                },
                UpkeepStep("correctSubmissionCounts", every: pruneInterval, startsAtOnce: true) {
                    try await queue.correctSubmissionCounts()
                },
                UpkeepStep(pruning: "pruneEphemeral", every: .seconds(30), startsAtOnce: true) { time in
                    try await queue.pruneEphemeral(at: time)
                },
                UpkeepStep(pruning: "pruneIdempotencyKeys", every: pruneInterval, startsAtOnce: true) { time in
                    try await database.deleteInBatches(at: time.before(idempotencyKeyLifetime)) {
                        try $0.jobs.pruneIdempotencyKeys(createdBefore: $1, limit: $2)
                    }
                },
            ])
    }
}
