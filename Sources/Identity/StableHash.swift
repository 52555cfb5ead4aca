/// A hash that is the same in every process, since databases store it: FNV-1a, and the finalizer of SplitMix64.
enum StableHash {
    static let start: UInt64 = 0xcbf2_9ce4_8422_2325

    @inline(__always)
    static func add(_ scalar: Unicode.Scalar, to hash: inout UInt64) {
        hash = (hash ^ UInt64(scalar.value)) &* 0x0000_0100_0000_01b3
    }

    static func of(_ scalars: some Sequence<Unicode.Scalar>) -> UInt64 {
        var hash = start
        for scalar in scalars { add(scalar, to: &hash) }
        return hash
    }

    static func of(_ text: String) -> UInt64 { of(text.unicodeScalars) }

    static func of(_ first: UInt64, _ second: UInt64) -> UInt64 {
        mixed(mixed(first) ^ (second &* 0x9e37_79b9_7f4a_7c15))
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
