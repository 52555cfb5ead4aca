import Bootstrap
import CommandSupport
import Foundation
import Model
import Storage

extension DoctorCheck {
    /// Whether the gateway answers and is ready.
    static let gateway = DoctorCheck("gateway") { context in
        guard let address = context.gateway else {
            let variable = CommandLineVariable.server.rawValue
            if let text = context.environment[variable], !text.isEmpty {
                return [
                    .problem("\(variable) is '\(TextWidth.printable(text))'; \(GatewayAddress.allowed).", "Correct it.")
                ]
            }
            return [
                .warning(
                    "http.port is 0, so the gateway's port is not known here.",
                    "Give the address from the gateway's log with --server or BACKLINE_SERVER.")
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
                        "Something other than the gateway answers at \(address): \(error)",
                        "Check http.host and http.port.")
                ]
            }
            do {
                return [
                    readyFinding(
                        try client.decode(Readiness.self, from: try await client.get("/readyz")), at: address,
                        schema: context.schema)
                ]
            } catch GatewayError.refused(_, let detail) {
                return [
                    .problem("The gateway at \(address) answers but is not ready: \(detail)", "Fix that first.")
                ]
            }
        }
    }

    /// The answer of `GET /readyz`.
    struct Readiness: Decodable {
        var schema: Int
        var workers: Int
    }

    static func readyFinding(_ readiness: Readiness, at address: GatewayAddress, schema: Schema) -> Finding {
        guard readiness.schema == schema.version else {
            return .problem(
                "The gateway at \(address) uses schema \(readiness.schema), but this program uses "
                    + "\(schema.version): their versions differ.",
                "Replace all executables together, and restart everything.")
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
            "\(what) But a gateway\(process) runs on this database.",
            "Give the address from its log with --server. If that is this address, the gateway is stuck: stop it.")
    }
}
