import Domains
import JobStorage
import Logging
import Storage
import Telemetry

extension Database {
    /// Registers the job ends of these domains, so that this process writes their rows in the transactions that end
    /// jobs. Any process may end a job: the gateway, a worker, or a command that erases a user.
    package func registerHooks(of domains: [Domain], logger: Logger) {
        let throttle = LogThrottle()
        registerHooks(of: domains) { end in
            logger.log(
                level: .error, "rows that depend on the end of a job could not be written; they are tried again later",
                metadata: [
                    "job": "\(end.jobID)", "kind": "\(end.kind)", "tries": "\(end.tries)", "error": "\(end.error)",
                ], throttle: throttle)
        }
    }

    /// Like ``registerHooks(of:logger:)``, for a process without a log.
    package func registerHooks(of domains: [Domain], onRefusal: @escaping @Sendable (HookFailure) -> Void) {
        register(domains.completionHooks, onRefusal: onRefusal)
    }
}
