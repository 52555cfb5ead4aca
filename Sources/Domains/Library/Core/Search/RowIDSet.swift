/// An immutable set of row keys, optimized for a hundred thousand membership tests.
///
/// It is an open-addressing hash table, because `Set` spends most of its time on a hash that withstands attackers,
/// while these keys are our own.
struct RowIDSet: Sendable {
    /// 0 marks a free slot, since keys are positive.
    private let slots: [Int64]
    private let shift: UInt64
    let count: Int

    /// - Parameter keys: distinct keys greater than 0.
    init(_ keys: [Int64]) {
        // The table is at most half full.
        let bits = max(3, Int.bitWidth - (2 * keys.count).leadingZeroBitCount)
        let shift = UInt64(64 - bits)
        var slots = [Int64](repeating: 0, count: 1 << bits)
        let mask = slots.count - 1
        for key in keys {
            var bucket = Self.bucket(of: key, shift: shift)
            while slots[bucket] != 0 { bucket = (bucket + 1) & mask }
            slots[bucket] = key
        }
        (self.slots, self.shift, count) = (slots, shift, keys.count)
    }

    func contains(_ key: Int64) -> Bool {
        var bucket = Self.bucket(of: key, shift: shift)
        while slots[bucket] != 0 {
            if slots[bucket] == key { return true }
            bucket = (bucket + 1) & (slots.count - 1)
        }
        return false
    }

    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4).
    private static func bucket(of key: Int64, shift: UInt64) -> Int {
        Int((UInt64(bitPattern: key) &* 0x9e37_79b9_7f4a_7c15) >> shift)
    }
}
