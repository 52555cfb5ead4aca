import TestSupport

/// Draws from random numbers that a seed determines.
protocol RandomDrawing {
    var random: SeededRandom { get set }
}

extension RandomDrawing {
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    /// True with a probability of one in `times`.
    mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }
}

extension Array {
    /// A random element of a list that is not empty.
    func random(_ random: inout SeededRandom) -> Element {
        self[Int.random(in: indices, using: &random)]
    }
}
