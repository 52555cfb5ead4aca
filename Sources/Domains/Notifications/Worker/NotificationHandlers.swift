import Bootstrap
import Contracts
import Jobs
import Logging
import Model
import Notifications
import Push
import Storage
import Telemetry
import Vault
import Workers

extension JobHandler {
    /// `notifications.push`: takes, sends, writes, until nothing is due.
    ///
    /// - Parameter services: opens what it sends with, once for each run, since the keys may have changed.
    static func notificationsPush(
        database: Database, kinds: NotificationKinds, accounts: NotifiedAccounts, siteURL: String,
        services: @escaping @Sendable () async throws -> PushServiceAccess, metrics: MetricRegistry, logger: Logger
    ) -> JobHandler {
        JobHandler(.notificationsPush, keeping: StateRule<PushRunState>()) { _, context in
            let lane = PushLane(
                database: database, kinds: kinds, accounts: accounts, services: try await services(), siteURL: siteURL)
            let run = PushRun(
                database: database, kinds: kinds, accounts: accounts, lane: lane,
                checkpoint: { write in try await context.checkpoint { transaction, _ in try write(transaction) } },
                isEnding: { context.isEnding }, metrics: metrics, logger: logger)
            return JobResult(try await run.run(context.state))
        }
    }
}

extension WorkerDomain {
    /// Sends pushes, and makes the key for Web Push.
    ///
    /// - Parameter kinds: asked when the worker starts.
    package static func notifications(
        _ kinds: @escaping @Sendable () -> NotificationKinds, accounts: NotifiedAccounts
    ) -> WorkerDomain {
        WorkerDomain { process in
            let kinds = kinds()
            let provider = try process.providers.pushes()
            let (database, vault, logger) = (process.database, process.vault, process.logger)
            let (settings, http) = (process.configuration[PushSettings.self], process.configuration.http)
            let throttle = LogThrottle()
            return [
                .notificationsPush(
                    database: database, kinds: kinds, accounts: accounts,
                    siteURL: http.publicURL ?? "http://127.0.0.1:\(http.port)",
                    services: {
                        PushServiceAccess(
                            open: { (sealed, name) throws(VaultError) in try vault.open(sealed, as: name) },
                            settings: settings, webPush: try await .opened(provider, vault, database),
                            ntfy: provider.ntfy, logger: logger, throttle: throttle)
                    }, metrics: process.metrics, logger: logger)
            ]
        } beside: { process in
            await WebPushKeyMaker(database: process.database, vault: process.vault, logger: process.logger).run()
        }
    }
}
