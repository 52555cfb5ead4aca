/// Writes JSON text front to back, with the members in the given order.
///
/// A page of 200 events is two megabytes. Foundation's encoder takes longer for that than the simulated latency, and
/// loses the order of members that recordings of the real service have.
struct JSONWriter {
    private(set) var text = ""
    private var needsComma = false

    mutating func object(_ key: String? = nil, _ members: (inout JSONWriter) throws -> Void) rethrows {
        try enclose(key, "{", "}", members)
    }

    mutating func array(_ key: String? = nil, _ elements: (inout JSONWriter) throws -> Void) rethrows {
        try enclose(key, "[", "]", elements)
    }

    mutating func string(_ key: String? = nil, _ value: String) {
        begin(key)
        text += "\""
        text += Self.escaped(value)
        text += "\""
    }

    mutating func number(_ key: String? = nil, _ value: some BinaryInteger) {
        begin(key)
        text += String(value)
    }

    mutating func number(_ key: String? = nil, _ value: Double) {
        begin(key)
        text += String(value)
    }

    mutating func bool(_ key: String? = nil, _ value: Bool) {
        begin(key)
        text += value ? "true" : "false"
    }

    mutating func null(_ key: String? = nil) {
        begin(key)
        text += "null"
    }

    /// Adds JSON text that another writer has made.
    mutating func raw(_ key: String? = nil, _ json: String) {
        begin(key)
        text += json
    }

    private mutating func enclose(
        _ key: String?, _ opening: String, _ closing: String, _ content: (inout JSONWriter) throws -> Void
    ) rethrows {
        begin(key)
        text += opening
        needsComma = false
        try content(&self)
        text += closing
        needsComma = true
    }

    private mutating func begin(_ key: String?) {
        if needsComma { text += "," }
        needsComma = true
        guard let key else { return }
        text += "\""
        text += key
        text += "\":"
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c }) else { return value }
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\t": escaped += "\\t"
            default:
                if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }
}
