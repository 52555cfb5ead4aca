/// Copies the members of a document that a caller has chosen. It works on the text, so that the result is exactly what
/// ``DocumentEncoder`` wrote, in the same order.
struct JSONSelection {
    private let bytes: [UInt8]
    private var position = 0
    private var kept: [UInt8] = []

    private init(_ document: String) {
        bytes = Array(document.utf8)
    }

    /// - Parameter document: a document as written by ``DocumentEncoder``, without blanks between values.
    static func text(of document: String, keeping fields: SpotifyFields) -> String {
        var selection = JSONSelection(document)
        selection.copyValue(fields)
        return String(decoding: selection.kept, as: UTF8.self)
    }

    private mutating func copyValue(_ fields: SpotifyFields) {
        switch bytes[position] {
        case UInt8(ascii: "{") where !fields.isEverything: copyObject(fields)
        case UInt8(ascii: "[") where !fields.isEverything: copyList(fields)
        default:
            let end = endOfValue()
            kept += bytes[position..<end]
            position = end
        }
    }

    private mutating func copyObject(_ fields: SpotifyFields) {
        kept.append(bytes[position])
        position += 1
        var needsComma = false
        while bytes[position] != UInt8(ascii: "}") {
            if bytes[position] == UInt8(ascii: ",") { position += 1 }
            let key = position..<endOfString(at: position)
            // The key's quotes are not its name, and a colon follows.
            let name = String(decoding: bytes[key].dropFirst().dropLast(), as: UTF8.self)
            position = key.upperBound + 1
            guard let inside = fields[name] else {
                position = endOfValue()
                continue
            }
            if needsComma { kept.append(UInt8(ascii: ",")) }
            needsComma = true
            kept += bytes[key]
            kept.append(UInt8(ascii: ":"))
            copyValue(inside)
        }
        kept.append(bytes[position])
        position += 1
    }

    private mutating func copyList(_ fields: SpotifyFields) {
        kept.append(bytes[position])
        position += 1
        while bytes[position] != UInt8(ascii: "]") {
            if bytes[position] == UInt8(ascii: ",") {
                kept.append(bytes[position])
                position += 1
            }
            copyValue(fields)
        }
        kept.append(bytes[position])
        position += 1
    }

    // MARK: Where things end

    /// The index after the string that begins at an index.
    private func endOfString(at start: Int) -> Int {
        var index = start + 1
        while bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index + 1
    }

    /// The index after the value that begins at the position.
    private func endOfValue() -> Int {
        var index = position
        var depth = 0
        repeat {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = endOfString(at: index)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        } while index < bytes.count && (depth > 0 || !isEndOfValue(bytes[index]))
        return index
    }

    private func isEndOfValue(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
}
