import Concerts
import Curation
import JobStorage
import Jobs
import Library
import Logging
import Storage
import Telemetry

extension CompletionHook {
    /// The job ends of all domains. Any process may end a job: the gateway, a worker, or a command that erases a user.
    static let ofAllDomains: [CompletionHook] =
        [
            .diagnosticsSteps, .librarySync, .libraryEdit, .libraryImport, .libraryUndoImport, .libraryCopy,
        ] + CompletionHook.concertLookups + CompletionHook.curation
}

extension Database {
    /// Registers the domains' job ends, so that this process writes their rows in the transactions that end jobs.
    package func registerHooks(logger: Logger) {
        let throttle = LogThrottle()
        registerHooks { end in
            logger.log(
                level: .error, "rows that depend on the end of a job could not be written; they are tried again later",
                metadata: [
                    "job": "\(end.jobID)", "kind": "\(end.kind)", "tries": "\(end.tries)", "error": "\(end.error)",
                ], throttle: throttle)
        }
    }

    /// Like ``registerHooks(logger:)``, for a process without a log.
    package func registerHooks(onRefusal: @escaping @Sendable (HookFailure) -> Void) {
        register(CompletionHook.ofAllDomains, onRefusal: onRefusal)
    }
}
