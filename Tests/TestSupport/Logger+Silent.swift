import Logging

extension Logger {
    /// A logger that discards its lines.
    package static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
