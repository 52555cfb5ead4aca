extension IdentityRules {
    /// How far the durations of one recording may be apart at different services, in milliseconds.
    static let nearDurations = 2_500
    /// The same for one service that has two codes: it always measures in the same way. A remaster has its own code.
    static let nearDurationsOfOneSource = 1_500

    func judgeDurations(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgment: inout Judgment
    ) {
        // Services write 0 if they do not know.
        guard let left = one.record.durationMs, let right = other.record.durationMs, left > 0, right > 0 else {
            judgment.duration = .unknown
            judgment.record(.durationUnknown, .none, likelihood: -5)
            return
        }
        let difference = Int(clamping: (left - right).magnitude)
        let hasOtherCode =
            isOneSource && !hasISRC && one.isrc != nil && other.isrc != nil
            && !one.version.kinds.symmetricDifference(other.version.kinds).contains(.remaster)
        if difference <= (hasOtherCode ? Self.nearDurationsOfOneSource : Self.nearDurations) {
            judgment.duration = .near
            judgment.record(.durationsNear(difference), .none, likelihood: 20)
        } else if difference <= max(left, right) / 10 {
            judgment.duration = .loose
            judgment.record(.durationsLoose(difference), .none, likelihood: -15)
        } else {
            judgment.record(.durationsDiffer(difference), .contradiction)
        }
    }

    func judgeAlbums(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgment: inout Judgment
    ) {
        let (left, right) = (one.album, other.album)
        func texts() -> (String, String) { (one.record.album, other.record.album) }
        guard !left.core.isEmpty, !right.core.isEmpty else {
            judgment.record(.albumUnknown, .none)
            return
        }
        let isOne = left.whole == right.whole
        judgment.areAlbumsAlike = isOne || left.isAlike(right)
        if isOne {
            judgment.record(.albumsEqual(texts().0), .none, likelihood: 15)
        } else if judgment.areAlbumsAlike {
            judgment.record(.albumsAlike(texts().0, texts().1), .none, likelihood: 15)
        } else {
            judgment.record(
                .albumsDiffer(texts().0, texts().1), judgment.isPartOfArtists && !hasISRC ? .contradiction : .none)
            if judgment.isConcluded { return }
        }
        // An album lists a recording only once: two entries with different codes or durations are two recordings.
        guard isOneSource, !hasISRC, isOne else { return }
        let haveCodes = one.isrc != nil && other.isrc != nil
        if haveCodes || judgment.duration == .loose {
            judgment.record(.twiceOnOneAlbum(texts().0), .contradiction)
        }
    }
}
