import Model

/// A fingerprint of a page's items: equal for equal ids and dates in the same order.
///
/// It uses 64-bit FNV-1a (Fowler, Noll, Vo), which is not collision resistant, but nobody gains from making two of
/// their own pages look equal.
struct PageFingerprint {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ id: String, _ date: Timestamp?) {
        for byte in id.utf8 { add(byte) }
        // 0xFF is not a valid byte in UTF-8.
        add(0xff)
        for byte in String(date?.microseconds ?? -1).utf8 { add(byte) }
        add(0xff)
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    /// The hash in hexadecimal.
    var text: String { String(hash, radix: 16) }
}
