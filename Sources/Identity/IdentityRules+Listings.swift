extension IdentityRules {
    /// How far the durations of one recording may be apart at different services, in milliseconds.
    static let nearDurations = 2_500
    /// The same for one service that has two codes: it always measures in the same way. A remaster has its own code.
    static let nearDurationsOfOneSource = 1_500

    func judgeDurations(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgement: inout Judgement
    ) {
        // Services write 0 if they do not know.
        guard let left = one.record.durationMs, let right = other.record.durationMs, left > 0, right > 0 else {
            judgement.duration = .unknown
            judgement.note(.durationUnknown, .none, likelihood: -5)
            return
        }
        let difference = abs(left - right)
        let hasOtherCode =
            isOneSource && !hasISRC && one.isrc != nil && other.isrc != nil
            && !one.version.kinds.symmetricDifference(other.version.kinds).contains(.remaster)
        if difference <= (hasOtherCode ? Self.nearDurationsOfOneSource : Self.nearDurations) {
            judgement.duration = .near
            judgement.note(.durationsNear(difference), .none, likelihood: 20)
        } else if difference <= max(left, right) / 10 {
            judgement.duration = .loose
            judgement.note(.durationsLoose(difference), .none, likelihood: -15)
        } else {
            judgement.note(.durationsDiffer(difference), .contradiction)
        }
    }

    func judgeAlbums(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgement: inout Judgement
    ) {
        let (left, right) = (one.album, other.album)
        func texts() -> (String, String) { (one.record.album, other.record.album) }
        guard !left.core.isEmpty, !right.core.isEmpty else {
            judgement.note(.albumUnknown, .none)
            return
        }
        let isOne = left.whole == right.whole
        judgement.areAlbumsAlike = isOne || left.isAlike(right)
        if isOne {
            judgement.note(.albumsEqual(texts().0), .none, likelihood: 15)
        } else if judgement.areAlbumsAlike {
            judgement.note(.albumsAlike(texts().0, texts().1), .none, likelihood: 15)
        } else {
            judgement.note(
                .albumsDiffer(texts().0, texts().1), judgement.isPartOfArtists && !hasISRC ? .contradiction : .none)
            if judgement.isSettled { return }
        }
        // An album lists a recording only once: two entries with different codes or durations are two recordings.
        guard isOneSource, !hasISRC, isOne else { return }
        let haveCodes = one.isrc != nil && other.isrc != nil
        if haveCodes || judgement.duration == .loose {
            judgement.note(.twiceOnOneAlbum(texts().0), .contradiction)
        }
    }
}
