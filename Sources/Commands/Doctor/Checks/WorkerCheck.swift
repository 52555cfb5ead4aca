import Foundation
import Model

extension DoctorCheck {
    /// Whether somebody does the work.
    static let workers = DoctorCheck("workers") { context in
        let here = context.processes.workers
        guard let address = context.gateway else { return [workerFinding(connected: nil, here: here)] }
        let isSent = context.token != nil && (context.isInsecure || address.isPrivate)
        let unsent =
            context.token == nil || isSent
            ? []
            : [
                Finding.warning(
                    "The gateway at \(address) was not asked with your token: anybody on the way could read it.",
                    "Give the gateway's https address with --server, or let the token go with --insecure.")
            ]
        let token = isSent ? context.token : nil
        return try await GatewayClient.with(address, token: token, isInsecure: context.isInsecure) { client in
            if token != nil, let answer = try? await client.get("/v1/admin/workers"),
                let page = try? client.decode(WorkerEntry.Page.self, from: answer)
            {
                return [workerFinding(connected: page.items.count, here: here)]
                    + silences(page.items, lease: context.configuration.jobs.lease)
            }
            let readiness = try? client.decode(Readiness.self, from: try await client.get("/readyz"))
            return [workerFinding(connected: readiness?.workers, here: here)] + unsent
        }
    }

    /// - Parameters:
    ///   - connected: how many the gateway knows; `nil` when it cannot be asked.
    ///   - here: those that hold the lock of their name.
    static func workerFinding(connected: Int?, here: [InstallationProcesses.Running]) -> Finding {
        let names = here.isEmpty ? "" : ": " + InstallationProcesses.list(here)
        guard let connected else {
            return here.isEmpty
                ? .problem("No worker runs.", "Start one: concert-worker")
                : .ok("\(here.count) run\(names). Whether the gateway knows them cannot be asked.")
        }
        if connected == 0, here.isEmpty { return .problem("No worker runs.", "Start one: concert-worker") }
        if connected < here.count {
            return .problem(
                "The gateway knows \(connected) of the workers that run\(names).",
                "See what the others log: do they have the gateway's messaging.endpoint, and the database's schema?")
        }
        return .ok("The gateway knows \(connected)\(names).")
    }

    private static func silences(_ workers: [WorkerEntry], lease: Duration) -> [Finding] {
        let limit = Double(lease.components.seconds) / 2
        return workers.filter { $0.lastHeardSecondsAgo ?? 0 > limit }.map { worker in
            let process = worker.pid.map { " (process \($0))" } ?? ""
            return .warning(
                "\(TextWidth.printable(worker.name))\(process) has said nothing for "
                    + "\(Int(worker.lastHeardSecondsAgo ?? 0)) s.",
                "Is it stopped, or its machine overloaded? Its jobs go to others after \(HumanTime.text(lease)).")
        }
    }
}
