import CommandSupport
import Foundation
import Model

extension DoctorCheck {
    /// Whether workers run, are connected to the gateway, and send heartbeats.
    static let workers = DoctorCheck("workers") { context in
        let running = context.processes.workers
        guard let address = context.gateway else { return [workerFinding(connected: nil, running: running)] }
        let maySend = GatewayClient.maySend(context.token, to: address, isInsecure: context.isInsecure)
        let token = maySend ? context.token : nil
        let unsent =
            maySend
            ? []
            : [
                Finding.warning(
                    "Your token was not sent to the gateway at \(address): anybody on the network could read it.",
                    "Give the gateway's https address with --server, or allow plain http with --insecure.")
            ]
        return try await GatewayClient.with(address, token: token, isInsecure: context.isInsecure) { client in
            if token != nil, let answer = try? await client.get("/v1/admin/workers"),
                let page = try? client.decode(WorkerEntry.Page.self, from: answer)
            {
                return [workerFinding(connected: page.items.count, running: running)]
                    + silences(page.items, lease: context.configuration.jobs.lease)
            }
            let readiness = try? client.decode(Readiness.self, from: try await client.get("/readyz"))
            return [workerFinding(connected: readiness?.workers, running: running)] + unsent
        }
    }

    /// - Parameters:
    ///   - connected: the number of workers connected to the gateway; `nil` when it cannot be asked.
    ///   - running: the workers on this machine that hold the lock of their name.
    static func workerFinding(connected: Int?, running: [InstallationProcesses.Running]) -> Finding {
        let names = running.isEmpty ? "" : ": " + InstallationProcesses.list(running)
        guard let connected else {
            return running.isEmpty
                ? .problem("No worker is running.", "Start one: concert-worker")
                : .ok("Running: \(running.count)\(names). The gateway cannot be asked whether they are connected.")
        }
        if connected == 0, running.isEmpty { return .problem("No worker is running.", "Start one: concert-worker") }
        if connected < running.count {
            return .problem(
                "Only \(connected) of the running workers are connected to the gateway\(names).",
                "Read the log of the others: do they use the gateway's messaging.endpoint and the database's schema?")
        }
        return .ok("Connected to the gateway: \(connected)\(names).")
    }

    /// Warnings about workers without a heartbeat for half a lease.
    private static func silences(_ workers: [WorkerEntry], lease: Duration) -> [Finding] {
        let limit = Double(lease.components.seconds) / 2
        return workers.filter { $0.lastHeardSecondsAgo ?? 0 > limit }.map { worker in
            let process = worker.pid.map { " (process \($0))" } ?? ""
            return .warning(
                "\(TextWidth.printable(worker.name))\(process) has sent no heartbeat for "
                    + "\(Int(worker.lastHeardSecondsAgo ?? 0)) s.",
                "Is it stopped, or its machine overloaded? Other workers get its jobs after \(HumanTime.text(lease)).")
        }
    }
}
