import Synchronization
import TestProcesses
import TestSupport

/// Ends processes of an installation and starts them again at once, as an operator and a supervisor would.
final class Supervisor: Sendable {
    private let installation: Installation
    private let environment: [String: String]
    private let gateway: Mutex<ChildProcess>
    private let workers: Mutex<[ChildProcess]>

    /// - Parameter environment: of the workers.
    init(
        _ installation: Installation, gateway: ChildProcess, workers: [ChildProcess], environment: [String: String]
    ) {
        self.installation = installation
        self.environment = environment
        self.gateway = Mutex(gateway)
        self.workers = Mutex(workers)
    }

    /// - Parameter gently: whether the process is terminated instead of killed.
    func killGateway(gently: Bool = false) async throws {
        let old = gateway.withLock { $0 }
        if gently { old.terminate() } else { old.kill() }
        try await old.waitForEnd()
        let new = try await installation.startGateway()
        gateway.withLock { $0 = new }
    }

    /// - Parameter gently: whether the process is terminated instead of killed.
    func killWorker(_ index: Int, gently: Bool = false) async throws {
        let old = workers.withLock { $0[index] }
        if gently { old.terminate() } else { old.kill() }
        try await old.waitForEnd()
        let new = try await installation.startWorker(environment: environment)
        workers.withLock { $0[index] = new }
    }
}
