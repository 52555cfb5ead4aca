/// The key of a row of a library, which the API writes as a UUIDv7 (RFC 9562).
///
/// The database stores eight bytes and needs no index for the UUID, which is a function of the key: its time and
/// counter are the key's bits, the rest is a hash of them (`docs/decisions/020-library-keys.md`). Keys are not secrets;
/// every statement has the library's owner as a condition.
package struct LibraryID: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970 in the upper 42 bits, and a counter in the lower 21.
    package let key: Int64

    /// The number of bits in the counter.
    package static let counterBits: Int64 = 21

    package init(key: Int64) {
        self.key = key
    }

    /// The first key of a moment.
    package init(first moment: Timestamp) {
        key = max(0, moment.microseconds / 1_000) << Self.counterBits
    }

    package static func < (left: LibraryID, right: LibraryID) -> Bool { left.key < right.key }

    /// The UUID, in lower case.
    package var text: String {
        let (high, low) = words
        return UUIDv7.text(high, low)
    }

    /// The key of a UUID that ``text`` wrote; `nil` for any other text.
    package init?(_ text: String) {
        guard UUIDv7.isWellFormed(text), let word = UInt64(text.replacing("-", with: "").prefix(16), radix: 16),
            let rest = UInt64(text.replacing("-", with: "").suffix(16), radix: 16)
        else { return nil }
        // The counter's upper 12 bits are in `rand_a`, its lower 9 at the start of `rand_b`.
        let milliseconds = word >> 16
        guard milliseconds < 1 << 42 else { return nil }
        let counter = (word & 0xfff) << 9 | (rest >> 53) & 0x1ff
        self.init(key: Int64(milliseconds << UInt64(Self.counterBits) | counter))
        guard words == (word, rest) else { return nil }
    }

    private var words: (UInt64, UInt64) {
        let bits = UInt64(bitPattern: key)
        let (milliseconds, counter) = (bits >> UInt64(Self.counterBits), bits & 0x1f_ffff)
        let high = milliseconds << 16 | 0x7000 | counter >> 9
        let low = 0b10 << 62 | (counter & 0x1ff) << 53 | Self.hash(bits) >> 11
        return (high, low)
    }

    /// SplitMix64 (Steele, Lea, Flood 2014), which mixes every bit into every other.
    private static func hash(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// It is encoded as its ``LibraryID/text``.
extension LibraryID: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let id = LibraryID(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a library id"))
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
