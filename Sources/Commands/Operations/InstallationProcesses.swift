import Bootstrap
import CommandSupport
import Foundation
import Messaging
import Storage

/// The gateway and the workers that run on this machine, which are recognized by the lock files that they hold.
struct InstallationProcesses {
    struct Running: Equatable {
        /// `api-gateway`, or the worker's name.
        var name: String
        /// `nil` for a process that is not visible here, such as one in another container.
        var processID: Int32?
    }

    let configuration: BacklineConfiguration

    init(_ configuration: BacklineConfiguration) {
        self.configuration = configuration
    }

    var running: [Running] { [gateway].compactMap { $0 } + workers }

    /// The gateway that uses the database or listens at the messaging endpoint.
    var gateway: Running? {
        let database = DatabasePath.resolved(configuration.database.path)
        let locks = [database + GatewayLock.suffix, gatewayLock].compactMap { $0 }
        guard let lock = locks.first(where: FileLock.isHeld) else { return nil }
        return Running(name: "api-gateway", processID: FileLock.holder(ofFlock: lock))
    }

    /// The workers. Each holds the lock of its name while it runs.
    var workers: [Running] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: workerFolder)) ?? []
        return names.filter { $0.hasSuffix(".lock") }.sorted().compactMap { file in
            let path = "\(workerFolder)/\(file)"
            guard FileLock.isHeld(path) else { return nil }
            return Running(name: String(file.dropLast(".lock".count)), processID: FileLock.holder(ofFlock: path))
        }
    }

    /// The socket of the messaging endpoint; `nil` for TCP.
    var socketPath: String? {
        guard case .ipc(let path) = try? Endpoint(configuration.messaging.endpoint).transport else { return nil }
        return path
    }

    var gatewayLock: String? { socketPath.map { $0 + ".lock" } }

    var databaseFolder: String {
        URL(fileURLWithPath: configuration.database.path).deletingLastPathComponent().path
    }

    var workerFolder: String { databaseFolder + "/workers" }

    /// Refuses a command that replaces the database while a process has it open.
    ///
    /// - Throws: ``CommandExit/busy``, after a complaint that names the processes.
    func requireNone() throws {
        let running = running
        guard !running.isEmpty else { return }
        CommandOutput.complain("Stop \(Self.list(running)) first: the database is in use.")
        throw CommandExit.busy
    }

    /// `api-gateway (process 7) and concert-worker-1 (process 9)`
    static func list(_ running: [Running]) -> String {
        let names = running.map { process in
            process.processID.flatMap { $0 > 0 ? $0 : nil }.map { "\(process.name) (process \($0))" } ?? process.name
        }
        return TextWidth.printable(names, joinedBy: "and")
    }
}
