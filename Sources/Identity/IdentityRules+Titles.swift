extension IdentityRules {
    func judgeTitles(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgment: inout Judgment
    ) {
        let (left, right) = (one.title, other.title)
        func texts() -> (String, String) { (one.record.title, other.record.title) }
        // Services sometimes omit titles, too.
        if left.isEmpty || right.isEmpty {
            judgment.isTitleExcused = true
            judgment.record(.titleUnknown, hasISRC ? .none : .doubt, likelihood: -30)
            return
        }
        if left.wholeHash == right.wholeHash {
            judgment.record(.titlesEqual(texts().0, texts().1), .none)
            return
        }
        if left.hasOtherNumbers(than: right) {
            judgment.record(.numbersDiffer(texts().0, texts().1), .contradiction)
            return
        }
        if left.core.isNear(right.core) {
            let isExact = left.core == right.core || left.core.sound == right.core.sound
            if left.subtitle.isEmpty != right.subtitle.isEmpty {
                judgment.isTitleNear = true
                judgment.record(.subtitleMissing(texts().0, texts().1), .none, likelihood: -5)
            } else if left.subtitle.isEmpty || left.subtitle.isNear(right.subtitle)
                || !left.subtitle.isComparable(with: right.subtitle)
            {
                judgment.isTitleNear = !isExact || !left.subtitle.isEmpty
                // A source always spells a title the same way.
                let weight = isOneSource && !hasISRC && !isExact ? Judgment.Weight.doubt : .none
                judgment.record(.titlesNearlyEqual(texts().0, texts().1), weight, likelihood: -5)
            } else {
                // With an equal ISRC, additions may be worded differently.
                (judgment.isTitleExcused, judgment.isTitleOther) = (true, true)
                judgment.record(.titlesDiffer(texts().0, texts().1), hasISRC ? .none : .contradiction)
            }
            return
        }
        if !left.core.isComparable(with: right.core) {
            (judgment.isCodeAlone, judgment.isTitleExcused) = (true, true)
            let isAlike = left.core.skeleton == right.core.skeleton
            judgment.record(
                .titlesInOtherScripts(texts().0, texts().1, soundAlike: isAlike), .doubt,
                likelihood: isAlike ? 0 : -30)
            return
        }
        if hasISRC, left.hasEqualNumbers(as: right) {
            judgment.record(.titlesNearlyEqual(texts().0, texts().1), .none)
            return
        }
        if hasISRC, Self.isRelated(left, right) {
            (judgment.isTitleExcused, judgment.isTitleOther) = (true, true)
            judgment.record(.titlesNearlyEqual(texts().0, texts().1), .none)
            return
        }
        judgment.record(.titlesDiffer(texts().0, texts().1), .contradiction)
    }

    /// Whether an equal ISRC outweighs the difference between two titles: one is the start or the end of the other, or
    /// at most a third of the letters differ. It does not if the titles are too long to compare.
    private static func isRelated(_ left: SongTitle, _ right: SongTitle) -> Bool {
        guard max(left.length, right.length) <= EditDistance.longestText else { return false }
        let (short, long) = left.length < right.length ? (left.whole, right.whole) : (right.whole, left.whole)
        if short.utf8.count >= 4, long.hasPrefix(short) || long.hasSuffix(short) { return true }
        return EditDistance.isAtMost(long.utf8.count / 3, short, long)
    }
}
