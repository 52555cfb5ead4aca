import Concerts
import Jobs
import Logging
import Storage
import Telemetry

extension JobEnd {
    /// Those of every domain. Any process may end a job: the gateway and the workers by what happens to it, commands
    /// when they erase a person.
    static let ofAllDomains: [JobEnd] = [.diagnosticsSteps] + JobEnd.concertLookups
}

extension Database {
    /// Has what domains write when their jobs end be written by this process.
    package func registerEnds(logger: Logger) {
        let throttle = LogThrottle()
        registerEnds { end in
            logger.log(
                level: .error, "a job ended without its rows, which are tried again later",
                metadata: [
                    "job": "\(end.jobID)", "kind": "\(end.kind)", "tries": "\(end.tries)", "error": "\(end.error)",
                ], throttle: throttle)
        }
    }

    /// As ``registerEnds(logger:)``, for a process that keeps no log.
    package func registerEnds(onRefusal: @escaping @Sendable (RefusedEnd) -> Void) {
        register(JobEnd.ofAllDomains, onRefusal: onRefusal)
    }
}
