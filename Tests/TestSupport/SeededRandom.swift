/// A random number generator that a seed determines (SplitMix64), so that a failure can be
/// repeated.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A text of up to `length` characters of one to four bytes.
    package mutating func text(upTo length: Int) -> String {
        let alphabet = Array("abc XYZ019\"'\\/\n\0äßé日本語🎵")
        return String((0..<Int.random(in: 0...length, using: &self)).map { _ in alphabet.randomElement(using: &self)! })
    }
}
