/// A generator of numbers that a seed and a name determine (SplitMix64, Steele, Lea and Flood 2014).
///
/// Each part of a catalog draws from a stream of its own, so that adding to
/// one part changes nothing in the others.
///
/// A catalog draws hundreds of thousands of numbers when a simulator starts. In debug builds, generic code such as
/// `map` and `count` of a range would take most of that time, hence the plain loops.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64, stream: String) {
        // FNV-1a: Hasher returns different values in different processes.
        state = stream.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number in the range.
    package mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// True in about `percent` of a hundred draws.
    package mutating func chance(_ percent: Int) -> Bool {
        number(in: 0...99) < percent
    }

    /// An element of a list that is not empty.
    package mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int(next() % UInt64(list.count))]
    }

    /// A text of that many characters from an ASCII alphabet.
    package mutating func text(_ length: Int, of alphabet: [Character]) -> String {
        var text = ""
        while text.utf8.count < length { text.append(alphabet[Int(next() % UInt64(alphabet.count))]) }
        return text
    }
}

extension [Character] {
    /// Digits and Latin letters, upper case first.
    static let base62 = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    static let hexadecimal = Array("0123456789abcdef")
}
