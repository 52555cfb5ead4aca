/// The text of a document that is being encoded. Writing to a container closes those inside of it.
final class DocumentText {
    private(set) var text = ""
    /// The closing brackets of the open containers, the innermost last.
    private var closings: [String] = []
    private var needsComma = false

    /// The number of open containers.
    var depth: Int { closings.count }

    // MARK: Containers

    /// - Returns: the number of open containers, including the new one.
    func open(_ opening: String, _ closing: String) -> Int {
        text += opening
        closings.append(closing)
        needsComma = false
        return closings.count
    }

    /// Closes the innermost containers until `depth` are open.
    func close(to depth: Int) {
        while let closing = closings.last, closings.count > depth {
            text += closing
            closings.removeLast()
            needsComma = true
        }
    }

    /// Begins an element of the array that is the container of a depth; its value follows.
    func begin(at depth: Int) {
        close(to: depth)
        if needsComma { text += "," }
        needsComma = true
    }

    /// Begins a member of the object that is the container of a depth; its value follows.
    func begin(_ name: String, at depth: Int) {
        begin(at: depth)
        writeString(name)
        text += ":"
    }

    // MARK: Values

    /// - Parameter json: `null` or the like.
    func write(_ json: String) { text += json }

    func write(_ value: Bool) { text += value ? "true" : "false" }

    func write(_ value: some BinaryInteger) { text += String(value) }

    /// Writes a number with a fraction, such as `19.0`.
    func write(_ value: Double) {
        precondition(value.isFinite, "JSON has no \(value)")
        text += String(value)
    }

    func writeString(_ value: String) {
        text += "\""
        text += Self.escaped(value)
        text += "\""
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
