import Model

/// The rules of which records are of one song (docs/identity.md).
package struct IdentityRules: Sendable, Hashable {
    /// Whether a remaster is the same song as the first master, as services treat it. A person's setting.
    package var remastersAreSame: Bool

    package init(remastersAreSame: Bool = true) {
        self.remastersAreSame = remastersAreSame
    }

    /// - Parameter isOneSource: whether both are listed by one source. An album of one source lists a recording once,
    ///   so that equal titles with different ISRCs on it are different recordings.
    package func compare(
        _ one: IdentityProfile, _ other: IdentityProfile, isOneSource: Bool = false
    ) -> Comparison {
        if let isrc = one.isrc, isrc == other.isrc {
            return Comparison(verdict: .same, evidence: [.sameISRC(isrc)], likelihood: 100)
        }
        let agrees = FoldedText.scalars(of: one.record.title) == FoldedText.scalars(of: other.record.title)
        return Comparison(
            verdict: agrees ? .same : .different, evidence: agrees ? [.titlesAgree] : [], likelihood: agrees ? 50 : 0)
    }

    package func compare(_ one: IdentityRecord, _ other: IdentityRecord) -> Comparison {
        compare(IdentityProfile(one), IdentityProfile(other))
    }
}
