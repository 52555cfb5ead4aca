/// How much work a transaction does before it stops recording or removing listens (``DerivationWork/units``): some 20 ms,
/// since other people's writes have to wait for it. Listens in the middle of hundreds of others that overlap take a
/// hundred times as much as those of one evening.
package let mostDerivationWork = 12_000

/// The work that recording or deriving took.
struct DerivationWork: Equatable {
    /// The number of rows of observations that were read.
    var rows = 0
    /// The number of rows of observations and listens that were written.
    var writes = 0
    /// The number of pairs of observations whose times were compared.
    var pairs = 0
    /// The number of comparisons of songs.
    var comparisons = 0

    /// The work in units of reading a row, which takes a microsecond or two. It is counted, not timed, so that a history
    /// is always divided in the same way.
    var units: Int { rows + writes * 16 + pairs / 8 + comparisons * 4 }

    static func += (left: inout DerivationWork, right: DerivationWork) {
        left.rows += right.rows
        left.writes += right.writes
        left.pairs += right.pairs
        left.comparisons += right.comparisons
    }
}

/// How many observations are derived at once. What they have around them is known only afterwards, so it begins with
/// few, takes more as long as they are little work, and fewer when they are much. What is connected to them is the same
/// work for one of them as for a few.
struct DerivationStep {
    private static let fewest = 8
    private(set) var count = Self.fewest

    /// - Parameter work: the work of the last step.
    mutating func adapt(to work: DerivationWork) {
        if work.units > mostDerivationWork {
            count = max(Self.fewest, count / 2)
        } else if work.units < mostDerivationWork / 2 {
            count = min(count * 2, mostRecordedListens)
        }
    }
}
