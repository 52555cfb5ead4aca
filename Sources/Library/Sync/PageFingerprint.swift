import Model

/// A fingerprint of the items of a page: equal for equal ids and dates in the same order.
///
/// FNV-1a with 64 bits (Fowler, Noll, Vo). Nobody gains by making two of their own pages equal.
struct PageFingerprint {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ id: String, _ date: Timestamp?) {
        for byte in id.utf8 { add(byte) }
        // No byte of UTF-8.
        add(0xff)
        for byte in String(date?.microseconds ?? -1).utf8 { add(byte) }
        add(0xff)
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    /// In hexadecimal.
    var text: String { String(hash, radix: 16) }
}
