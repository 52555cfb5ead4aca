/// Numbers that look random but are determined by their arguments.
enum Mix {
    private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// The finalizer of SplitMix64: one-to-one.
    static func finish(_ value: UInt64) -> UInt64 {
        var mixed = value &+ step
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    static func of(_ first: UInt64, _ second: UInt64) -> UInt64 {
        finish(finish(first) ^ (second &* step))
    }

    /// FNV-1a, the same in every process.
    static func of(_ text: String) -> UInt64 {
        finish(text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 })
    }
}
