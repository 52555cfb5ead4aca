import Bootstrap
import Messaging

extension DoctorCheck {
    /// Whether the messaging keys can be used, if the endpoint needs keys.
    static let messaging = DoctorCheck("messaging") { context in
        let messaging = context.configuration.messaging
        guard messaging.usesCurve else {
            guard !messaging.endpoint.hasPrefix("tcp://") else {
                return [
                    .warning(
                        "Every account of this machine can connect to \(messaging.endpoint) as a worker, and gets "
                            + "people's jobs: no keys protect it.",
                        "Remove messaging.endpoint, so that messages pass through a socket in a private folder; or set "
                            + "messaging.curve to always, and make keys with 'backline keys new'.")
                ]
            }
            return [.ok("Messages stay on this machine (\(messaging.endpoint)).")]
        }
        do throws(KeyFileError) {
            _ = try messaging.keys.gatewayPair()
            let (register, problems) = try messaging.keys.register()
            var findings = problems.map { problem in
                Finding.warning("\(problem)", "Make a new key, or delete the file: this key is not allowed.")
            }
            if register.allowedCount == 0 {
                findings.append(
                    .warning("No worker's key is allowed at \(messaging.endpoint).", "backline keys new NAME"))
            }
            return findings.isEmpty
                ? [.ok("Workers' keys that are allowed at \(messaging.endpoint): \(register.allowedCount).")] : findings
        } catch {
            // On a machine that runs only workers, the gateway's secret key is missing on purpose.
            if case .missing = error, messaging.keyFile != nil { return [workerFinding(messaging)] }
            return [.problem("\(error)", "Without its key a gateway does not start at \(messaging.endpoint).")]
        }
    }

    private static func workerFinding(_ messaging: BacklineConfiguration.Messaging) -> Finding {
        do {
            _ = try messaging.workerSecurity()
            return .ok("A worker's key and the gateway's public key for \(messaging.endpoint) are in place.")
        } catch {
            return .problem(
                error.problems.map(\.text).joined(separator: " "), "Without their keys, no worker starts here.")
        }
    }
}
