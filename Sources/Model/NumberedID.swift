/// The id of something that was made with a change number, such as a share or a message. The API writes it as a UUIDv7
/// (RFC 9562).
///
/// The database needs no index for it, since it contains the number, which is the key of the row, and the moment. Ids
/// are not secrets: every statement has a condition of who may see the row.
package struct NumberedID: Sendable, Hashable, Comparable {
    /// The key of the row.
    package let number: Int64
    /// Milliseconds since 1970.
    package let milliseconds: Int64

    /// The bits of a number.
    private static let numberBits: UInt64 = 48
    /// Of these, the bits after the version of the UUID.
    private static let lowerBits: UInt64 = 36
    /// The bits of the check.
    private static let checkBits: UInt64 = 26

    package init(number: Int64, milliseconds: Int64) {
        (self.number, self.milliseconds) = (number, milliseconds)
    }

    /// When it was made, in whole milliseconds.
    package var moment: Timestamp { Timestamp(microseconds: milliseconds * 1_000) }

    package static func < (left: NumberedID, right: NumberedID) -> Bool { left.number < right.number }

    /// The UUID, in lower case.
    package var text: String {
        let (high, low) = words
        return UUIDv7.text(high, low)
    }

    /// The id of a UUID that ``text`` wrote; `nil` for any other text.
    package init?(_ text: String) {
        let digits = text.replacing("-", with: "")
        guard UUIDv7.isWellFormed(text), let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        let lower = (low >> Self.checkBits) & ((1 << Self.lowerBits) - 1)
        self.init(
            number: Int64((high & 0xfff) << Self.lowerBits | lower), milliseconds: Int64(high >> 16))
        guard words == (high, low) else { return nil }
    }

    private var words: (UInt64, UInt64) {
        let number = UInt64(bitPattern: number) & ((1 << Self.numberBits) - 1)
        let high = UInt64(bitPattern: milliseconds) << 16 | 0x7000 | number >> Self.lowerBits
        let lower = number & ((1 << Self.lowerBits) - 1)
        return (high, 0b10 << 62 | lower << Self.checkBits | check)
    }

    /// A hash of both, by which ids that were typed or made up are recognized.
    private var check: UInt64 {
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for word in [number, milliseconds] {
            for shift in stride(from: 0, to: 64, by: 8) {
                hash = (hash ^ (UInt64(bitPattern: word) >> UInt64(shift)) & 0xff) &* 0x0000_0100_0000_01b3
            }
        }
        return (hash ^ hash >> 32) & ((1 << Self.checkBits) - 1)
    }
}
