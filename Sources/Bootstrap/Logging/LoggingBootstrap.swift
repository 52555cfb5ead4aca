import Logging
import Telemetry

/// Sends everything that swift-log is told to standard error, one line for each event.
package enum LoggingBootstrap {
    /// Once in a process, before its first `Logger`: swift-log stops a process that does it twice.
    package static func install(_ configuration: BacklineConfiguration.Log) {
        LoggingSystem.bootstrap(
            { label, metadataProvider in
                LineLogHandler(
                    label: label, level: configuration.level, format: configuration.format,
                    metadataProvider: metadataProvider)
            }, metadataProvider: contextOfTask)
    }

    /// On whose behalf the task works that logs.
    static let contextOfTask = Logger.MetadataProvider {
        guard let context = LogContext.current else { return [:] }
        var metadata: Logger.Metadata = [:]
        if let trace = context.trace { metadata["trace"] = "\(trace)" }
        if let job = context.job {
            metadata["job"] = "\(job.id)"
            metadata["kind"] = "\(job.kind)"
            metadata["jobAttempt"] = "\(job.attempt)"
            metadata["user"] = "\(UserPseudonym.of(job.userID))"
        }
        return metadata
    }
}
