import Bootstrap
import Contracts
import Jobs
import Logging
import Messaging
import Model
import ServiceLifecycle
import Storage

/// A worker process from its HELLO to its GOODBYE.
package struct WorkerService: Service {
    let runtime: WorkerRuntime
    let dealer: MessageDealer
    let database: Database
    let files: FileReserve
    let grace: Duration
    let manager: ServiceManager
    let trouble: ConnectionTroubleLog
    let vaultWatch: VaultWatch
    let beside: [@Sendable () async -> Void]
    let logger: Logger
    let onEnd: @Sendable () async -> Void

    /// - Parameters:
    ///   - grace: how long running jobs may take after the process was asked to stop.
    ///   - beside: what the domains run beside the jobs (``WorkerDomain``).
    ///   - onEnd: called after the last job has ended and before the database is closed.
    init(
        runtime: WorkerRuntime, dealer: MessageDealer, database: Database, files: FileReserve, grace: Duration,
        manager: ServiceManager, endpoint: String, vaultWatch: VaultWatch,
        beside: [@Sendable () async -> Void], logger: Logger, onEnd: @escaping @Sendable () async -> Void
    ) {
        self.runtime = runtime
        self.dealer = dealer
        self.database = database
        self.files = files
        self.grace = grace
        self.manager = manager
        trouble = ConnectionTroubleLog(endpoint: endpoint, manager: manager, logger: logger)
        self.vaultWatch = vaultWatch
        self.beside = beside
        self.logger = logger
        self.onEnd = onEnd
    }

    package func run() async throws {
        manager.watch("database writer") { [database] in database.probeWriter($0) }
        // A worker is ready before it has a gateway. Otherwise a supervisor would consider one that starts before the
        // gateway to have failed.
        manager.ready("Checking the database")
        do {
            try await cancelWhenGracefulShutdown { try await waitForSchema() }
        } catch is CancellationError where Task.isShuttingDownGracefully {
            // Nothing has begun that would have to be ended.
            return database.close()
        }
        // Before HELLO: a connected worker's record of its vault keys is relied on.
        var vaultWatch = vaultWatch
        await vaultWatch.check()
        try await dealer.start { [runtime] frame in
            runtime.receive(frame)
        } onUndeliverable: { [logger] reason in
            logger.debug("a message was not sent", metadata: ["reason": "\(reason)"])
        } onTrouble: { [trouble] kind in
            trouble.record(kind)
        }
        manager.watch("messaging") { [dealer] in dealer.probe($0) }
        manager.report("Waiting for the gateway")
        runtime.connect { [dealer] frame in
            dealer.send(frame)
        } reconnect: { [dealer, manager] in
            manager.report("The gateway does not answer; reconnecting")
            dealer.reconnect()
        } onWelcome: { [manager, trouble] in
            trouble.connected()
            manager.report("Registered with the gateway")
        }
        files.watch { [self] in filesChanged($0) }
        logger.info("ready")
        await withTaskGroup { group in
            group.addTask { await runtime.runHeartbeats() }
            group.addTask { [vaultWatch] in
                var watch = vaultWatch
                await watch.run()
            }
            for task in beside { group.addTask { await task() } }
            try? await gracefulShutdown()
            await runtime.drain(grace: grace)
            group.cancelAll()
        }
        files.end()
        await dealer.close()
        await onEnd()
        database.close()
    }

    private func waitForSchema() async throws {
        try await database.waitForSchema { [manager, logger, wanted = database.schema.version] found in
            manager.report("Waiting for the database to be migrated from schema \(found) to \(wanted)")
            logger.notice(
                "waiting for the database to be migrated",
                metadata: ["found": "\(found)", "wanted": "\(wanted)"])
        }
    }

    private func filesChanged(_ change: FileReserve.Change) {
        switch change {
        case .short:
            runtime.refuseWork()
            manager.report("Short of file descriptors; accepting no jobs")
            logger.error(
                "too few file descriptors are left: no jobs are accepted until more are free",
                metadata: [
                    "limit": "\(OpenFileLimit.current)",
                    "remedy":
                        "raise LimitNOFILE of the unit (or ulimit -n) or, if that is high, find out what uses so many",
                ])
        case .enough:
            runtime.acceptWork()
            manager.report("Enough file descriptors again; accepting jobs")
            logger.notice("enough file descriptors are free again: jobs are accepted")
        }
    }
}
