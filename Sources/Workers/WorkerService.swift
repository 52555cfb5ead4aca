import Contracts
import Jobs
import Logging
import Messaging
import Model
import ServiceLifecycle
import Storage

/// A worker process from its first hello to its goodbye.
package struct WorkerService: Service {
    let runtime: WorkerRuntime
    let dealer: MessageDealer
    let database: Database
    let grace: Duration
    let logger: Logger
    let onEnd: @Sendable () async -> Void

    /// - Parameters:
    ///   - grace: how long running jobs may take after the process was told to stop.
    ///   - onEnd: called when the last job has ended and before the database is closed.
    package init(
        runtime: WorkerRuntime, dealer: MessageDealer, database: Database, grace: Duration, logger: Logger,
        onEnd: @escaping @Sendable () async -> Void
    ) {
        self.runtime = runtime
        self.dealer = dealer
        self.database = database
        self.grace = grace
        self.logger = logger
        self.onEnd = onEnd
    }

    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await database.waitForSchema { [logger] found in
                logger.notice(
                    "waiting for the database to be migrated",
                    metadata: ["found": "\(found)", "wanted": "\(Migration.latest)"])
            }
        }
        try await dealer.start { [runtime] frame in
            runtime.receive(frame)
        } onUndeliverable: { [logger] reason in
            logger.debug("a message did not leave", metadata: ["reason": "\(reason)"])
        }
        runtime.connect { [dealer] frame in
            dealer.send(frame)
        } reconnect: { [dealer] in
            dealer.reconnect()
        }
        logger.info("ready")
        await withTaskGroup { group in
            group.addTask { await runtime.runHeartbeats() }
            try? await gracefulShutdown()
            await runtime.drain(grace: grace)
            group.cancelAll()
        }
        await dealer.close()
        await onEnd()
        database.close()
    }
}
