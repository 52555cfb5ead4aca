import Bootstrap
import Logging
import Model
import Storage
import Synchronization
import Telemetry
import Upstream
import Vault

/// The providers of one process: each is opened when somebody first asks for it, and once.
///
/// Any worker can open any of them. What several processes have to agree on, permits and the leases of tokens, is in
/// the database.
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

    /// - Throws: what `open` throws; then it is tried again the next time. `CancellationError` after ``shutdown(by:)``.
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

    /// Ends all that was opened: after the last job, and before the database is closed.
    ///
    /// - Parameter deadline: until when what given-up jobs still have under way may take.
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

    /// When what must not be cut off is over at the latest; `nil` when nothing of it is under way.
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

/// A provider as one process has opened it.
protocol OpenedProvider: Sendable {
    /// Lets nothing begin any more that has to be brought to its end, and waits for what has, until `deadline` at the
    /// latest.
    func finish(by deadline: MonotonicInstant) async

    /// When what has begun and has to be brought to its end is over at the latest; `nil` when nothing of it is under
    /// way.
    var unfinishedUntil: MonotonicInstant? { get }
}

extension OpenedProvider {
    func finish(by deadline: MonotonicInstant) async {}

    var unfinishedUntil: MonotonicInstant? { nil }
}
