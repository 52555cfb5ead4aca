import Accounts
import Jobs
import Logging
import Model
import ServiceLifecycle
import Storage
import Telemetry
import Vault

/// What the gateway does by the clock for everybody: checkpoints, pruning, recurring schedules.
package struct GatewayUpkeep: Service {
    /// The write-ahead log is moved into the database when it is larger than this.
    static let checkpointSize: Int64 = 4 << 20
    /// …and cut off at the end when it could not be for so long that it grew to this.
    static let truncateSize: Int64 = 64 << 20
    private static let pruneInterval = Duration.seconds(600)
    /// The most jobs deleted in one transaction, so that nobody waits for it.
    private static let pruneBatch = 500
    /// The most keys of permits, likewise.
    private static let permitKeyBatch = 100
    /// How long an idempotency key is remembered.
    private static let keyLifetime = Duration.seconds(86_400)

    let queue: JobQueue
    let concerts: ConcertDesk
    let setup: SetupDesk
    let operations: OperationsDesk
    let credentials: CredentialCache
    let settings: JobSettings
    let schedules: [RecurringSchedule]
    let logger: Logger

    package init(
        queue: JobQueue, concerts: ConcertDesk, setup: SetupDesk, operations: OperationsDesk,
        credentials: CredentialCache, settings: JobSettings, schedules: [RecurringSchedule], logger: Logger
    ) {
        self.queue = queue
        self.concerts = concerts
        self.setup = setup
        self.operations = operations
        self.credentials = credentials
        self.settings = settings
        self.schedules = schedules
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            async let dispatching: Void = queue.dispatcher.runUpkeep()
            async let recording: Void = operations.recordSeries()
            await runMaintenance()
            await dispatching
            await recording
        }
        // What cannot be written is told by what else cannot.
        try? await credentials.writeUses()
    }

    private func runMaintenance() async {
        var lastPrune: ContinuousClock.Instant?
        var checkedSize: Int64 = 0
        var tick = 0
        let throttle = LogThrottle()
        while !Task.isCancelled {
            do {
                let size = queue.database.logSize
                // A log that stays the same size was moved already, or a reader still needs it.
                if size > Self.checkpointSize || (size > 0 && size != checkedSize && tick % 30 == 29) {
                    try await queue.database.checkpoint(truncates: size > Self.truncateSize || tick % 30 == 29)
                    checkedSize = queue.database.logSize
                }
                if tick % 5 == 4 { try await concerts.settleEndedLookups() }
                if tick % 10 == 9 { try await setup.prune() }
                if tick % 60 == 59 { try await credentials.writeUses() }
                for schedule in schedules { try await queue.submitIfDue(schedule) }
                if lastPrune.map({ $0.duration(to: .now) >= Self.pruneInterval }) ?? true {
                    lastPrune = .now
                    try await prune()
                    try await concerts.prune(retention: settings.retention)
                    try await credentials.pruneSessions()
                    try await PersonErasure(accounts: Accounts(database: queue.database), queue: queue)
                        .eraseLeftovers()
                }
            } catch {
                logger.log(
                    level: .error, "maintenance failed and is tried again", metadata: ["error": "\(error)"],
                    throttle: throttle)
            }
            await queue.database.probeWriting()
            tick += 1
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func prune() async throws {
        let now = Timestamp.now()
        let cutoff = now.advanced(by: .zero - settings.retention)
        var deleted = Self.pruneBatch
        while deleted == Self.pruneBatch, !Task.isCancelled {
            deleted = try await queue.database.write {
                try $0.pruneJobs(finishedBefore: cutoff, limit: Self.pruneBatch)
            }
        }
        try await queue.database.write {
            try $0.pruneIdempotencyKeys(createdBefore: now.advanced(by: .zero - Self.keyLifetime))
            try $0.vault.pruneAuthorizations(now: now)
        }
        var keys = Self.permitKeyBatch
        while keys == Self.permitKeyBatch, !Task.isCancelled {
            keys = try await queue.database.write { try $0.prunePermitKeys(limit: Self.permitKeyBatch) }
        }
    }
}
