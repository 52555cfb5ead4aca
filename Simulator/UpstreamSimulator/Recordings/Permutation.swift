/// A one-to-one mapping of the numbers of some bits onto themselves: a Feistel network of four rounds.
///
/// Ids that are made with it look random, and can be decoded without a table.
struct Permutation: Sendable {
    private let halfBits: UInt64
    private let mask: UInt64
    private let keys: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter halfBits: half the bits of a number, 1 to 32.
    init(halfBits: Int, key: UInt64) {
        self.halfBits = UInt64(halfBits)
        mask = (1 << UInt64(halfBits)) - 1
        keys = (Mix.of(key, 1), Mix.of(key, 2), Mix.of(key, 3), Mix.of(key, 4))
    }

    func forward(_ value: UInt64) -> UInt64 {
        var left = value &>> halfBits
        var right = value & mask
        (left, right) = (right, left ^ (Mix.finish(keys.0 ^ right) & mask))
        (left, right) = (right, left ^ (Mix.finish(keys.1 ^ right) & mask))
        (left, right) = (right, left ^ (Mix.finish(keys.2 ^ right) & mask))
        (left, right) = (right, left ^ (Mix.finish(keys.3 ^ right) & mask))
        return left &<< halfBits | right
    }

    /// The number that ``forward(_:)`` maps to this one.
    func backward(_ value: UInt64) -> UInt64 {
        var left = value &>> halfBits
        var right = value & mask
        (left, right) = (right ^ (Mix.finish(keys.3 ^ left) & mask), left)
        (left, right) = (right ^ (Mix.finish(keys.2 ^ left) & mask), left)
        (left, right) = (right ^ (Mix.finish(keys.1 ^ left) & mask), left)
        (left, right) = (right ^ (Mix.finish(keys.0 ^ left) & mask), left)
        return left &<< halfBits | right
    }
}
