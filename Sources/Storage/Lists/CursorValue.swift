import Model

/// A column type that can order a list.
package protocol CursorValue: SQLConvertible {
    /// The value's text in a cursor. It consists of letters, digits, `-`, `_` and `*` only, so that it needs no
    /// escaping in a URL and does not contain the separators of a cursor.
    var cursorText: String { get }
    /// Reads a ``cursorText``; `nil` for any other text.
    init?(cursorText: Substring)
}

extension String: CursorValue {
    package var cursorText: String {
        var text = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += (byte < 16 ? "*0" : "*") + String(byte, radix: 16)
            }
        }
        return text
    }

    package init?(cursorText: Substring) {
        let escaped = Array(cursorText.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < escaped.count {
            if escaped[index] == UInt8(ascii: "*") {
                let digits = String(decoding: escaped.dropFirst(index + 1).prefix(2), as: UTF8.self)
                guard let byte = UInt8(digits, radix: 16) else { return nil }
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(escaped[index])
                index += 1
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), text.cursorText == cursorText else { return nil }
        self = text
    }
}

extension Int: CursorValue {
    /// `x` for the largest value, which represents an unknown value and comes last in the order.
    package var cursorText: String { self == .max ? "x" : String(self) }

    package init?(cursorText: Substring) {
        guard let value = cursorText == "x" ? .max : Int(cursorText), value.cursorText == cursorText else { return nil }
        self = value
    }
}

/// The id of a row, a UUIDv7, as a column that orders a list by age.
package struct RowID: CursorValue, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var sqlValue: SQLValue { .text(text) }

    package init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.text = text
    }

    package var cursorText: String { text }

    package init?(cursorText: Substring) {
        guard UUIDv7.isWellFormed(String(cursorText)) else { return nil }
        text = String(cursorText)
    }
}
