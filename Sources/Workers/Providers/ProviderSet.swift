import Bootstrap
import Logging
import Model
import Storage
import Synchronization
import Telemetry
import Upstream
import Vault

/// The providers of one process. Each is opened once, at its first use.
///
/// Any worker can open any provider. Permits and token leases are shared between processes through the database.
package final class ProviderSet: Sendable {
    let configuration: BacklineConfiguration
    let database: Database
    let vault: CurrentVault
    let logger: Logger
    private let metrics: MetricRegistry
    private let manager: ServiceManager

    private struct State {
        var runtime: UpstreamRuntime?
        var opened: [ObjectIdentifier: any OpenedProvider] = [:]
        var isShutDown = false
    }
    private let state = Mutex(State())

    package init(
        configuration: BacklineConfiguration, database: Database, vault: CurrentVault, manager: ServiceManager,
        metrics: MetricRegistry, logger: Logger
    ) {
        self.configuration = configuration
        self.database = database
        self.vault = vault
        self.manager = manager
        self.metrics = metrics
        self.logger = logger
    }

    /// - Throws: the error of `open`, after which the next call tries again. `CancellationError` after
    ///   ``shutdown(by:)``.
    func opened<Opened: OpenedProvider>(_ open: (UpstreamRuntime) throws -> Opened) throws -> Opened {
        try state.withLock { state in
            guard !state.isShutDown else { throw CancellationError() }
            if let known = state.opened[ObjectIdentifier(Opened.self)] as? Opened { return known }
            let runtime = state.runtime ?? makeRuntime()
            state.runtime = runtime
            let provider = try open(runtime)
            state.opened[ObjectIdentifier(Opened.self)] = provider
            return provider
        }
    }

    /// Closes all opened providers, after the last job and before the database is closed.
    ///
    /// - Parameter deadline: when refreshes that jobs have left unfinished must have ended.
    package func shutdown(by deadline: MonotonicInstant) async {
        let (opened, runtime) = state.withLock { state in
            state.isShutDown = true
            return (Array(state.opened.values), state.runtime)
        }
        await withTaskGroup { group in
            for provider in opened { group.addTask { await provider.finish(by: deadline) } }
        }
        await runtime?.shutdown()
        state.withLock { $0 = State(isShutDown: true) }
    }

    /// The latest time at which all work that must not be cut off has ended; `nil` when there is none.
    package var unfinishedUntil: MonotonicInstant? {
        state.withLock { Array($0.opened.values) }.compactMap(\.unfinishedUntil).max()
    }

    private func makeRuntime() -> UpstreamRuntime {
        let (log, metrics) = (UpstreamLog(logger: logger), UpstreamMetrics(metrics))
        let runtime = UpstreamRuntime(transport: HTTPTransport(), database: database) { event in
            log.record(event)
            metrics.record(event)
        }
        manager.watch("upstream transport") { runtime.probe($0) }
        manager.awaitBeforeLeaving { [weak self] in self?.unfinishedUntil }
        return runtime
    }
}

/// A provider that one process has opened.
protocol OpenedProvider: Sendable {
    /// Begins no more work that must not be cut off, and waits for such work under way until `deadline`.
    func finish(by deadline: MonotonicInstant) async

    /// The latest time at which all work under way that must not be cut off has ended; `nil` when there is none.
    var unfinishedUntil: MonotonicInstant? { get }
}

extension OpenedProvider {
    func finish(by deadline: MonotonicInstant) async {}

    var unfinishedUntil: MonotonicInstant? { nil }
}
