/// The numbers below a count in an order that a key determines, without a table.
struct Shuffle: Sendable {
    let count: Int
    private let permutation: Permutation

    /// - Parameter count: at least 1.
    init(count: Int, key: UInt64) {
        self.count = count
        var halfBits = 1
        while 1 << (2 * halfBits) < count { halfBits += 1 }
        permutation = Permutation(halfBits: halfBits, key: key)
    }

    /// The number at a position; positions repeat after ``count``.
    subscript(position: Int) -> Int {
        var value = UInt64(position % count)
        // The network covers at most four times the count, so that a walk is short.
        repeat { value = permutation.forward(value) } while value >= UInt64(count)
        return Int(value)
    }
}
