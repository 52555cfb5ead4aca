/// The rules that decide which records are the same song (docs/identity.md).
package struct IdentityRules: Sendable, Hashable {
    /// Whether a remaster is the same song as the original master, as services treat it. This is a user's setting.
    package var remastersAreSame: Bool

    package init(remastersAreSame: Bool = true) {
        self.remastersAreSame = remastersAreSame
    }

    /// - Parameter isOneSource: whether the same source lists both. An album of one source lists a recording only once,
    ///   so equal titles with different ISRCs on it are different recordings.
    package func compare(
        _ one: IdentityProfile, _ other: IdentityProfile, isOneSource: Bool = false
    ) -> Comparison {
        var judgment = Judgment(keepsEvidence: true)
        judge(one, other, isOneSource: isOneSource, into: &judgment)
        return Comparison(
            verdict: judgment.verdict, evidence: judgment.evidence, likelihood: judgment.likelihood)
    }

    package func compare(_ one: IdentityRecord, _ other: IdentityRecord) -> Comparison {
        compare(IdentityProfile(one), IdentityProfile(other))
    }

    /// Applies the rules in the order of docs/identity.md.
    func judge(
        _ one: IdentityProfile, _ other: IdentityProfile, isOneSource: Bool, into judgment: inout Judgment
    ) {
        let hasISRC = one.code != 0 && one.code == other.code
        if hasISRC { judgment.record(.sameISRC(one.isrc ?? ""), .none) }
        judgeTitles(one, other, hasISRC: hasISRC, isOneSource: isOneSource, into: &judgment)
        if judgment.isConcluded { return }
        judgeArtists(one, other, hasISRC: hasISRC, into: &judgment)
        if judgment.isConcluded { return }
        judgeVersions(one, other, hasISRC: hasISRC, isOneSource: isOneSource, into: &judgment)
        if judgment.isConcluded { return }
        judgeDurations(one, other, hasISRC: hasISRC, isOneSource: isOneSource, into: &judgment)
        if judgment.isConcluded { return }
        judgeAlbums(one, other, hasISRC: hasISRC, isOneSource: isOneSource, into: &judgment)
        if judgment.isConcluded { return }
        if one.code != other.code, let left = one.isrc, let right = other.isrc {
            judgment.record(.otherISRCs(left, right), .none)
        }
        judgment.conclude(hasISRC: hasISRC)
    }
}

/// What was found out about two records so far.
struct Judgment {
    /// The weight of a finding.
    enum Weight {
        /// It does not count on its own.
        case none
        /// The two are different.
        case contradiction
        /// Something is not known or cannot be compared, so other evidence is needed to join the two.
        case doubt
        /// Something differs without being a contradiction, but also keeps the two from getting into one cluster
        /// through others.
        case distance
    }

    /// How far apart the durations are.
    enum Duration {
        case near, loose, unknown
    }

    let keepsEvidence: Bool
    private(set) var evidence: [Evidence] = []
    private(set) var verdict = Verdict.undecided
    /// Whether the two must not be in one cluster, whatever connects them.
    private(set) var isApart = false
    private(set) var isConcluded = false
    private(set) var likelihood = 50
    private var hasDoubt = false

    var duration = Duration.unknown
    /// Whether the titles agree except for small differences.
    var isTitleNear = false
    var areAlbumsAlike = false
    /// Whether the durations must confirm an equal ISRC, since titles or artists cannot be compared.
    var isCodeAlone = false
    /// Whether the titles differ or cannot be compared, so that without an equal ISRC they would not agree.
    var isTitleExcused = false
    /// Whether the titles differ, rather than only being in different scripts, and an equal ISRC outweighs that.
    var isTitleOther = false
    /// Whether only an equal ISRC suggests one song, since the titles differ and the artists cannot be compared.
    var isUnconfirmed = false
    /// Whether equal albums must confirm that the artists are the same.
    var needsAlbum = false
    /// Whether only some of the artists agree, which is a contradiction if the albums differ.
    var isPartOfArtists = false

    init(keepsEvidence: Bool = false) {
        self.keepsEvidence = keepsEvidence
    }

    /// - Parameter likelihood: what the finding adds to the likelihood of one song.
    mutating func record(_ finding: @autoclosure () -> Evidence, _ weight: Weight, likelihood change: Int = 0) {
        if keepsEvidence { evidence.append(finding()) }
        likelihood += change
        switch weight {
        case .none: break
        case .contradiction:
            verdict = .different
            isApart = true
            isConcluded = true
            likelihood = 0
        case .doubt: hasDoubt = true
        case .distance:
            hasDoubt = true
            isApart = true
        }
    }

    mutating func conclude(hasISRC: Bool) {
        isConcluded = true
        if hasISRC, !isUnconfirmed, !isCodeAlone || duration == .near {
            (verdict, isApart, likelihood) = (.same, false, 100)
        } else if hasISRC {
            (verdict, isApart) = (.undecided, true)
        } else if hasDoubt || needsAlbum && !areAlbumsAlike {
            verdict = .undecided
        } else if duration == .near {
            verdict = .same
        } else {
            // If the durations are farther apart or not known, title and album must agree.
            verdict = areAlbumsAlike && !isTitleNear ? .same : .undecided
            if verdict == .undecided, duration == .loose { isApart = true }
        }
    }
}
