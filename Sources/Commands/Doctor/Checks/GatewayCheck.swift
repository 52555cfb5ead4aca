import Foundation
import Model
import Storage

extension DoctorCheck {
    /// Whether the gateway answers, and is ready to work.
    static let gateway = DoctorCheck("gateway") { context in
        guard let address = context.gateway else {
            return [
                .warning(
                    "http.port is 0, so nothing here says where the gateway listens.",
                    "Give the address that its log names with --server or BACKLINE_SERVER.")
            ]
        }
        return try await GatewayClient.with(address, token: nil) { client in
            do {
                _ = try await client.get("/healthz")
            } catch GatewayError.unreachable(_, let reason) {
                return [unreachable(address, reason: reason, holder: context.processes.gateway)]
            } catch {
                return [
                    .problem(
                        "What answers at \(address) is not the gateway: \(error)", "Look at http.host and http.port.")
                ]
            }
            do {
                return [
                    readyFinding(try client.decode(Readiness.self, from: try await client.get("/readyz")), at: address)
                ]
            } catch GatewayError.refused(_, let detail) {
                return [
                    .problem("The gateway at \(address) answers, and is not ready: \(detail)", "Mend what it says.")
                ]
            }
        }
    }

    /// `GET /readyz`.
    struct Readiness: Decodable {
        var schema: Int
        var workers: Int
    }

    static func readyFinding(_ readiness: Readiness, at address: GatewayAddress) -> Finding {
        guard readiness.schema == Migration.latest else {
            return .problem(
                "The gateway at \(address) works with schema \(readiness.schema), and this program with "
                    + "\(Migration.latest): they are of different versions.",
                "Replace all executables together, and start everything again.")
        }
        return .ok("The gateway at \(address) is ready.")
    }

    static func unreachable(
        _ address: GatewayAddress, reason: String, holder: InstallationProcesses.Running?
    ) -> Finding {
        let what = "No gateway answers at \(address): \(reason)."
        guard let holder else { return .problem(what, "Start it: api-gateway") }
        let process = holder.processID.map { " (process \($0))" } ?? ""
        return .problem(
            "\(what) A gateway\(process) does run on this database.",
            "Give the address that its log names with --server; if that is this one, it is stuck: end it.")
    }
}
