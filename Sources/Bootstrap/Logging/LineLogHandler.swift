import Logging
import Model

/// Writes each log event as one line, with one write.
struct LineLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: LogFormat
    private let hasPriorities: Bool
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - hasPriorities: whether each line begins with its priority, for journald.
    ///   - write: called with each line, line break included.
    init(
        label: String, level: Logger.Level, format: LogFormat, hasPriorities: Bool = false,
        metadataProvider: Logger.MetadataProvider? = nil,
        write: @escaping @Sendable (String) -> Void = StandardError.write
    ) {
        self.label = label
        self.logLevel = level
        self.format = format
        self.hasPriorities = hasPriorities
        self.metadataProvider = metadataProvider
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = LogLine(
            time: .now(), level: event.level, label: label, message: event.message.description,
            metadata: effectiveMetadata(of: event))
        write((hasPriorities ? JournalPriority.prefix(of: event.level) : "") + line.rendered(as: format) + "\n")
    }

    /// The event's metadata overrides its task's context, which overrides the logger's.
    private func effectiveMetadata(of event: LogEvent) -> Logger.Metadata {
        var result = metadata
        if let provided = metadataProvider?.get() {
            result.merge(provided) { _, new in new }
        }
        if let own = event.metadata {
            result.merge(own) { _, new in new }
        }
        if let error = event.error {
            // The names that swift-log's own handlers use.
            result["error.message"] = "\(error)"
            result["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        return result
    }
}
