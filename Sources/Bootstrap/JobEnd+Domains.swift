import Concerts
import Curation
import JobStorage
import Jobs
import Library
import Logging
import Storage
import Telemetry

extension JobEnd {
    /// The job ends of all domains. Any process may end a job: the gateway, a worker, or a command that erases a user.
    static let ofAllDomains: [JobEnd] =
        [
            .diagnosticsSteps, .librarySync, .libraryEdit, .libraryImport, .libraryUndoImport, .libraryCopy,
        ] + JobEnd.concertLookups + JobEnd.curation
}

extension Database {
    /// Registers the domains' job ends, so that this process writes their rows in the transactions that end jobs.
    package func registerEnds(logger: Logger) {
        let throttle = LogThrottle()
        registerEnds { end in
            logger.log(
                level: .error, "rows that depend on the end of a job could not be written; they are tried again later",
                metadata: [
                    "job": "\(end.jobID)", "kind": "\(end.kind)", "tries": "\(end.tries)", "error": "\(end.error)",
                ], throttle: throttle)
        }
    }

    /// Like ``registerEnds(logger:)``, for a process without a log.
    package func registerEnds(onRefusal: @escaping @Sendable (RefusedEnd) -> Void) {
        register(JobEnd.ofAllDomains, onRefusal: onRefusal)
    }
}
