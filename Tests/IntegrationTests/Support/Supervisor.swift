import Synchronization
import TestProcesses

/// Kills processes of an installation and starts them again at once, as an operator and a supervisor would.
final class Supervisor: Sendable {
    private let installation: Installation
    private let environment: [String: String]
    private let gateway: Mutex<ServiceProcess>
    private let workers: Mutex<[ServiceProcess]>

    /// - Parameter environment: of the workers.
    init(
        _ installation: Installation, gateway: ServiceProcess, workers: [ServiceProcess], environment: [String: String]
    ) {
        self.installation = installation
        self.environment = environment
        self.gateway = Mutex(gateway)
        self.workers = Mutex(workers)
    }

    func killGateway() async throws {
        let old = gateway.withLock { $0 }
        old.kill()
        try await old.waitForEnd()
        let new = try await installation.startGateway()
        gateway.withLock { $0 = new }
    }

    func killWorker(_ index: Int) async throws {
        let old = workers.withLock { $0[index] }
        old.kill()
        try await old.waitForEnd()
        let new = try await installation.startWorker(environment: environment)
        workers.withLock { $0[index] = new }
    }
}
