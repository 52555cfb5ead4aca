import Bootstrap
import Contracts
import Domains
import Foundation
import Jobs
import Connections
import Logging
import Messaging
import Model
import Storage
import Telemetry
import Vault

/// Opens what every worker process needs, and creates its service.
package struct WorkerProcess: Sendable {
    package let database: Database
    package let configuration: BacklineConfiguration
    package let manager: ServiceManager
    package let logger: Logger
    /// The metrics of this process, which it reports to the gateway.
    package let metrics: MetricRegistry
    /// Opens the secrets of the people in whose name it makes calls.
    package let vault: CurrentVault
    /// The providers for its handlers.
    package let providers: ProviderSet
    private let name: String
    private let files: FileReserve

    /// Opens the database and claims a name (``WorkerName``).
    ///
    /// - Parameter domains: all domains of Backline, also those whose jobs it does not run.
    package static func open(
        service: String, domains: [Domain], configuration: BacklineConfiguration, manager: ServiceManager,
        logger: Logger
    ) async throws -> WorkerProcess {
        // Before anything else is opened, so that the reserve has the lowest descriptors.
        let files = FileReserve()
        let folder = URL(fileURLWithPath: configuration.database.path).deletingLastPathComponent()
            .appendingPathComponent("workers").path
        let metrics = MetricRegistry()
        // First: it waits while the disk cannot be written, when no name could be claimed either.
        let database = try await Database.openWhenPossible(
            path: configuration.database.path, domains: domains, manager: manager, logger: logger)
        let name = try WorkerName.claim(service: service, wanted: configuration.worker.name, folder: folder)
        metrics.addSource { database.writeStatistics.collect(into: &$0) }
        metrics.addSource(ProcessMetrics.collect)
        let vault = CurrentVault(configuration.vault)
        let providers = ProviderSet(
            configuration: configuration, database: database, vault: vault, manager: manager, metrics: metrics,
            logger: logger)
        return WorkerProcess(
            database: database, configuration: configuration, manager: manager, logger: logger, metrics: metrics,
            vault: vault, providers: providers, name: name, files: files)
    }

    /// The handlers of the given domains, and of `diagnostics`.
    func handlers(of domains: [WorkerDomain]) throws -> [JobHandler] {
        try [.diagnosticsEcho, .diagnosticsSteps(database)] + domains.flatMap { try $0.handlers(self) }
    }

    /// Creates the service of this process.
    ///
    /// - Parameter domains: the domains whose jobs it runs; every worker also runs those of `diagnostics`.
    /// - Throws: the errors of opening the domains' providers.
    package func service(_ domains: [WorkerDomain]) throws -> WorkerService {
        let handlers = try handlers(of: domains)
        let instance = WorkerInstance.make(name: name)
        var logger = logger
        logger[metadataKey: "worker"] = "\(name)"
        let runtime = WorkerRuntime(
            name: name, instance: instance, processID: ProcessInfo.processInfo.processIdentifier,
            version: BacklineVersion.current, handlers: handlers,
            concurrency: configuration.worker.concurrency, database: database,
            settings: JobSettings(configuration.jobs),
            hasNewCredential: { transaction, userID, provider, since, now in
                try transaction.connections.isAuthorized(
                    userID: userID, provider: provider.rawValue, since: since, now: now)
            }, metrics: metrics,
            // Not `exit`, whose handlers would destroy objects that running threads still use.
            onMemoryExhausted: { _exit(ProcessStatus.failure.rawValue) }, logger: logger)
        let dealer = try MessageDealer(
            endpoint: Endpoint(configuration.messaging.endpoint), routingID: PeerID(instance),
            faults: try MessageFaults.fromTestEnvironment(), security: configuration.messaging.workerSecurity())
        metrics.addSource { dealer.statistics.collect(into: &$0) }
        // A quarter of the grace period is reserved for the last writes and GOODBYE, since the disk may be busy.
        let gracePeriod = configuration.worker.gracePeriod
        let grace = max(.seconds(1), gracePeriod - max(.seconds(2), gracePeriod / 4))
        return WorkerService(
            runtime: runtime, dealer: dealer, database: database, files: files, grace: grace, manager: manager,
            endpoint: configuration.messaging.endpoint,
            vaultWatch: VaultWatch(
                files: VaultFiles(configuration.vault), database: database, worker: name, logger: logger),
            beside: domains.compactMap(\.beside).map { beside in { @Sendable in await beside(self) } }, logger: logger,
            onEnd: { [providers] in
                // A token refresh that was already sent may take longer than the grace period.
                await providers.shutdown(by: .now().advanced(by: TokenKeeper.longestRefresh))
            })
    }
}
