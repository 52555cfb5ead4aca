/// Ids of letters and digits that encode a number.
enum Base62 {
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// A text of 22 characters: eleven for the number, and eleven more that are derived from it.
    static func text(_ value: UInt64) -> String {
        write(value, 11) + write(Mix.finish(value), 11)
    }

    /// The lowest digits of a number, the lowest first.
    static func write(_ value: UInt64, _ length: Int) -> String {
        var rest = value
        return String(unsafeUninitializedCapacity: length) { buffer in
            for index in 0..<length {
                buffer[index] = digits[Int(rest % 62)]
                rest /= 62
            }
            return length
        }
    }

    /// The number of a text of ``text(_:)``; `nil` for any other.
    static func value(_ text: some StringProtocol) -> UInt64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 22 else { return nil }
        var value: UInt64 = 0
        for byte in bytes[..<11].reversed() {
            guard let digit = digit(byte) else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 62)
            let (sum, overflows) = product.addingReportingOverflow(digit)
            guard !isTooLarge, !overflows else { return nil }
            value = sum
        }
        return Self.text(value) == String(text) ? value : nil
    }

    /// Whether a text has the form of Spotify's ids.
    static func isID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 22 && text.utf8.allSatisfy { digit($0) != nil }
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x41...0x5a: UInt64(byte - 0x41) + 10
        case 0x61...0x7a: UInt64(byte - 0x61) + 36
        default: nil
        }
    }
}
