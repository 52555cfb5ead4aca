extension IdentityRules {
    /// Whether a title says that the recording is a remaster. ``remastersAreSame`` matters only to pairs of which one is
    /// one.
    package static func isRemaster(_ title: String) -> Bool { SongTitle(title).version.kinds.contains(.remaster) }

    func judgeVersions(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgement: inout Judgement
    ) {
        let (left, right) = (one.version, other.version)
        if left != right {
            judgeKinds(one, other, into: &judgement)
            judgeNames(left, right, hasISRC: hasISRC, into: &judgement)
        }
        if left.kinds.contains(.live), right.kinds.contains(.live) {
            judgeLiveTakes(one, other, hasISRC: hasISRC, isOneSource: isOneSource, into: &judgement)
        } else if !left.kinds.contains(.live), !right.kinds.contains(.live), one.album.isLive != other.album.isLive {
            judgement.note(.liveByAlbum, .doubt, likelihood: -15)
        }
    }

    private func judgeKinds(_ one: IdentityProfile, _ other: IdentityProfile, into judgement: inout Judgement) {
        let (left, right) = (one.version, other.version)
        var difference = left.kinds.symmetricDifference(right.kinds)
        // All takes of a live album are live, though not all titles say so.
        let plain = left.kinds.contains(.live) ? other : one
        if difference.contains(.live), plain.album.isLive { difference.remove(.live) }
        // A live take can be acoustic without saying so.
        if left.kinds.contains(.live), right.kinds.contains(.live) { difference.remove(.acoustic) }
        for (kind, name) in SongVersion.Kinds.named where difference.contains(kind) {
            switch kind {
            case .remaster:
                judgement.note(
                    remastersAreSame ? .remasterCounts : .remasterDoesNotCount,
                    remastersAreSame ? .none : .contradiction)
            case .edit: judgement.note(.onlyOneIs(name), .doubt, likelihood: -5)
            default: judgement.note(.onlyOneIs(name), .contradiction)
            }
        }
    }

    private func judgeNames(
        _ left: SongVersion, _ right: SongVersion, hasISRC: Bool, into judgement: inout Judgement
    ) {
        if left.kinds.contains(.remix), right.kinds.contains(.remix), left.remixers != right.remixers {
            if left.remixers.isEmpty || right.remixers.isEmpty {
                judgement.note(.remixerUnknown, .doubt, likelihood: -10)
            } else if !EditDistance.isAtMost(
                max(left.remixers.utf8.count, right.remixers.utf8.count) / 8, left.remixers, right.remixers)
            {
                judgement.note(.remixersDiffer, .contradiction)
            }
        }
        if left.part != right.part {
            let isStated = left.part != nil && right.part != nil
            judgement.note(.partsDiffer(left.part, right.part), isStated ? .contradiction : .distance, likelihood: -15)
        }
        if left.language != right.language {
            let isStated = left.language != nil && right.language != nil
            judgement.note(
                .languagesDiffer(Self.language(left), Self.language(right)),
                isStated || !hasISRC ? .contradiction : .none)
        }
        if left.others != right.others {
            let isStated = left.others.isDisjoint(with: right.others) && !left.others.isEmpty && !right.others.isEmpty
            judgement.note(.otherVersionsDiffer, isStated || !hasISRC ? .contradiction : .none)
        }
        if let one = left.wording, let other = right.wording, one != other {
            judgement.note(.wordingsDiffer, .contradiction)
        }
    }

    private static func language(_ version: SongVersion) -> String? {
        version.language.map { KeywordTable.languages[Int($0)].name }
    }

    /// Artists play their songs on many evenings: takes of two releases are two, unless a code says otherwise.
    private func judgeLiveTakes(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgement: inout Judgement
    ) {
        let (left, right) = (one.version.places, other.version.places)
        if !left.isEmpty, !right.isEmpty, !left.isSubset(of: right), !right.isSubset(of: left) {
            let isDisjoint = left.isDisjoint(with: right)
            judgement.note(.livePlacesDiffer, isDisjoint ? .contradiction : .distance, likelihood: -15)
        }
        guard !hasISRC, !one.album.isAlike(other.album) else { return }
        // Another service may know the take by another name of the album.
        if isOneSource || one.isrc != nil && other.isrc != nil {
            judgement.note(.liveTakesOfTwoReleases, .distance, likelihood: -10)
        }
    }
}
