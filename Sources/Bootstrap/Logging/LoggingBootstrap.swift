import Logging

/// Sends everything that swift-log is told to standard error, one line for each event.
package enum LoggingBootstrap {
    /// Once in a process, before its first `Logger`: swift-log stops a process that does it twice.
    package static func install(_ configuration: BacklineConfiguration.Log) {
        LoggingSystem.bootstrap(
            { label, metadataProvider in
                LineLogHandler(
                    label: label, level: configuration.level, format: configuration.format,
                    metadataProvider: metadataProvider)
            }, metadataProvider: nil)
    }
}
