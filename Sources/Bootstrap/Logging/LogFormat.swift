/// How an event becomes a line.
package enum LogFormat: String, Sendable, CaseIterable {
    /// `TIME LEVEL LABEL: MESSAGE key=value …`
    case text
    /// One JSON object: `time`, `level`, `logger`, `message`, and `metadata` when there is any.
    case json
}
