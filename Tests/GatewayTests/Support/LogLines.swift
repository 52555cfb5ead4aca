import Logging
import TestSupport

/// What was logged: each line's message with its metadata.
final class LogLines: Sendable {
    private let lines = Collector<String>()

    private struct Recorder: LogHandler {
        let lines: Collector<String>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.append((["\(event.message)"] + pairs).joined(separator: " "))
        }
    }

    var logger: Logger { Logger(label: "test") { [lines] _ in Recorder(lines: lines) } }

    var all: [String] { lines.elements }
}
