import Logging
import Model
import Platform

/// The format of log lines.
package enum LogFormat: String, Sendable, CaseIterable {
    /// `TIME LEVEL LABEL: MESSAGE key=value …`
    case text
    /// One JSON object: `time`, `level`, `logger`, `message`, and `metadata` when there is any.
    case json
}

/// One log event as one line, without its line break.
struct LogLine {
    var time: Timestamp
    var level: Logger.Level
    var label: String
    var message: String
    var metadata: Logger.Metadata

    func rendered(as format: LogFormat) -> String {
        switch format {
        case .text: text
        case .json: json
        }
    }

    /// `2026-11-20T22:15:42.123456Z info jobs: message key=value`, sorted by key.
    var text: String {
        var line = "\(time) \(level.rawValue) \(LogText.escaped(label)): \(LogText.escaped(message))"
        Self.append(metadata, prefix: "", to: &line)
        return line
    }

    /// Writes nested metadata with dotted keys, which every parser of `key=value` lines can read.
    private static func append(_ metadata: Logger.Metadata, prefix: String, to line: inout String) {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            append(value, key: prefix + LogText.key(key), to: &line)
        }
    }

    private static func append(_ value: Logger.MetadataValue, key: String, to line: inout String) {
        switch value {
        case .string(let text): line += " \(key)=\(LogText.value(text))"
        case .stringConvertible(let value): line += " \(key)=\(LogText.value(value.description))"
        case .dictionary(let inner) where !inner.isEmpty: append(inner, prefix: key + ".", to: &line)
        case .dictionary: line += " \(key)={}"
        case .array(let values) where !values.isEmpty:
            for (index, value) in values.enumerated() {
                append(value, key: "\(key).\(index)", to: &line)
            }
        case .array: line += " \(key)=[]"
        }
    }

    /// One JSON object. Metadata is nested in a member, so that its keys cannot be mistaken for the event's.
    var json: String {
        var line = #"{"time":"\#(time)","level":"\#(level.rawValue)","logger":\#(LogText.quoted(label))"#
        line += #","message":\#(LogText.quoted(message))"#
        if !metadata.isEmpty { line += #","metadata":\#(Self.json(.dictionary(metadata)))"# }
        return line + "}"
    }

    private static func json(_ value: Logger.MetadataValue) -> String {
        switch value {
        case .string(let text): LogText.quoted(text)
        case .stringConvertible(let value): LogText.quoted(value.description)
        case .array(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .dictionary(let inner):
            "{"
                + inner.sorted { $0.key < $1.key }.map { LogText.quoted($0.key) + ":" + json($0.value) }
                .joined(separator: ",") + "}"
        }
    }
}
