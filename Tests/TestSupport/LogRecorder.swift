import Logging

/// Records what is logged.
package final class LogRecorder: Sendable {
    package struct Line: Sendable {
        package let level: Logger.Level
        package let message: String
        /// The metadata of this line, without its logger's.
        package let metadata: [String: String]
    }

    private struct Handler: LogHandler {
        let collector: Collector<Line>
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            collector.append(
                Line(
                    level: event.level, message: "\(event.message)",
                    metadata: (event.metadata ?? [:]).mapValues { "\($0)" }))
        }
    }

    package let logger: Logger
    private let collector = Collector<Line>()

    /// - Parameter level: less important lines are not recorded.
    package init(level: Logger.Level = .trace) {
        logger = Logger(label: "test") { [collector] _ in Handler(collector: collector, logLevel: level) }
    }

    package var lines: [Line] { collector.elements }

    /// All lines as soon as there are `count`, or at once when the test's time limit cancels it.
    package func wait(for count: Int) async -> [Line] { await collector.wait(for: count) }
}
