/// Whether two records are the same song.
package enum Verdict: String, Sendable, Hashable, Codable {
    case same
    case different
    /// Nothing rules it out, but the evidence is not sufficient. It counts as not the same, and is a question for a
    /// person.
    case undecided
}

/// The verdict on two records, and the evidence for it.
package struct Comparison: Sendable, Hashable {
    package let verdict: Verdict
    /// The reasons, in the order in which the rules were applied.
    package let evidence: [Evidence]
    /// How strongly the evidence suggests one song; higher is stronger. Undecided pairs are listed in this order.
    package let likelihood: Int

    /// The evidence in sentences for people.
    package var sentences: [String] { evidence.map(\.text) }
}
