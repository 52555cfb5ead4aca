import Foundation
import Logging
import Telemetry

/// Makes swift-log write to standard error, one line for each event.
package enum LoggingBootstrap {
    /// Call it once, before the process creates its first `Logger`: swift-log terminates a process that calls it twice.
    package static func install(_ configuration: BacklineConfiguration.Log) {
        let hasPriorities = JournalPriority.isWanted(environment: ProcessInfo.processInfo.environment)
        LoggingSystem.bootstrap(
            { label, metadataProvider in
                LineLogHandler(
                    label: label, level: configuration.level, format: configuration.format,
                    hasPriorities: hasPriorities, metadataProvider: metadataProvider)
            }, metadataProvider: contextOfTask)
    }

    /// The trace, job and user (as a pseudonym) for which the logging task works.
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
