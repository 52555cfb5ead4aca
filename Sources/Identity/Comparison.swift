/// Whether two records are of one song.
package enum Verdict: String, Sendable, Hashable, Codable {
    case same
    case different
    /// Nothing contradicts it, and not enough speaks for it. It counts as not same, and is a question for a person.
    case undecided
}

/// The verdict on two records, and what it rests on.
package struct Comparison: Sendable, Hashable {
    package let verdict: Verdict
    /// The reasons, in the order in which the rules looked.
    package let evidence: [Evidence]
    /// How strongly it speaks for one song; higher is stronger. Of undecided pairs, the likely ones come first by it.
    package let likelihood: Int

    /// The evidence in sentences for people.
    package var sentences: [String] { evidence.map(\.text) }
}
