extension IdentityRules {
    /// Whether a title says that the recording is a remaster. ``remastersAreSame`` matters only to pairs in which
    /// exactly one is a remaster.
    package static func isRemaster(_ title: String) -> Bool { SongTitle(title).version.kinds.contains(.remaster) }

    func judgeVersions(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgment: inout Judgment
    ) {
        let (left, right) = (one.version, other.version)
        if left != right {
            judgeKinds(one, other, into: &judgment)
            judgeNames(one, other, hasISRC: hasISRC, into: &judgment)
        }
        if !hasISRC { judgeTakesOfAlbums(one, other, into: &judgment) }
        if left.kinds.contains(.live), right.kinds.contains(.live) {
            judgeLiveTakes(one, other, hasISRC: hasISRC, isOneSource: isOneSource, into: &judgment)
        } else if !left.kinds.contains(.live), !right.kinds.contains(.live), one.album.isLive != other.album.isLive {
            judgment.record(.liveByAlbum, .doubt, likelihood: -15)
        }
    }

    private func judgeKinds(_ one: IdentityProfile, _ other: IdentityProfile, into judgment: inout Judgment) {
        let (left, right) = (one.version, other.version)
        var difference = left.kinds.symmetricDifference(right.kinds)
        // All takes of a live album are live, even if not all titles say so.
        let plain = left.kinds.contains(.live) ? other : one
        if difference.contains(.live), plain.album.isLive { difference.remove(.live) }
        // The same applies to acoustic albums and the like.
        difference.subtract(one.album.takes.allKinds.subtracting(left.kinds))
        difference.subtract(other.album.takes.allKinds.subtracting(right.kinds))
        // A live take can be acoustic without saying so.
        if left.kinds.contains(.live), right.kinds.contains(.live) { difference.remove(.acoustic) }
        for (kind, name) in SongVersion.Kinds.named where difference.contains(kind) {
            switch kind {
            case .remaster:
                judgment.record(
                    remastersAreSame ? .remasterCounts : .remasterDoesNotCount,
                    remastersAreSame ? .none : .contradiction)
            case .edit: judgment.record(.onlyOneIs(name), .doubt, likelihood: -5)
            default: judgment.record(.onlyOneIs(name), .contradiction)
            }
        }
    }

    /// An album that is marked as acoustic, instrumental or the like makes its songs that version. With an equal code
    /// this does not matter, since the code identifies the recording.
    private func judgeTakesOfAlbums(_ one: IdentityProfile, _ other: IdentityProfile, into judgment: inout Judgment) {
        let (left, right) = (one.album.takes, other.album.takes)
        if left.isEmpty && right.isEmpty { return }
        var (mine, others) = (one.version.kinds.union(left.allKinds), other.version.kinds.union(right.allKinds))
        if one.version.kinds.contains(.live), other.version.kinds.contains(.live) {
            // A live take can be acoustic without saying so.
            mine.remove(.acoustic)
            others.remove(.acoustic)
        }
        let isCertain = left.kinds.union(right.kinds)
        let difference = mine.symmetricDifference(others).intersection(AlbumTakes.possible)
        for (kind, name) in SongVersion.Kinds.named where difference.contains(kind) {
            judgment.record(
                .onlyOneByAlbum(name), isCertain.contains(kind) ? .contradiction : .doubt, likelihood: -15)
        }
        let (ofOne, ofOther) = (one.version.others.union(left.others), other.version.others.union(right.others))
        if ofOne != ofOther {
            judgment.record(.otherVersionsByAlbum, .contradiction)
        } else if ofOne.union(left.otherHints) != ofOther.union(right.otherHints) {
            judgment.record(.otherVersionsByAlbum, .doubt, likelihood: -15)
        }
    }

    private func judgeNames(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, into judgment: inout Judgment
    ) {
        let (left, right) = (one.version, other.version)
        if left.kinds.contains(.remix), right.kinds.contains(.remix), left.remixers != right.remixers {
            if left.remixers.isEmpty || right.remixers.isEmpty {
                judgment.record(.remixerUnknown, .doubt, likelihood: -10)
            } else if !EditDistance.isAtMost(
                max(left.remixers.utf8.count, right.remixers.utf8.count) / 8, left.remixers, right.remixers)
            {
                judgment.record(.remixersDiffer, .contradiction)
            }
        }
        if left.part != right.part {
            let isStated = left.part != nil && right.part != nil
            judgment.record(.partsDiffer(left.part, right.part), isStated ? .contradiction : .distance, likelihood: -15)
        }
        if left.language != right.language {
            let isStated = left.language != nil && right.language != nil
            judgment.record(
                .languagesDiffer(Self.language(left), Self.language(right)),
                isStated || !hasISRC ? .contradiction : .none)
        }
        let areOthersByAlbum =
            left.others.union(one.album.takes.others) == right.others.union(other.album.takes.others)
        if left.others != right.others, !areOthersByAlbum {
            let isStated = left.others.isDisjoint(with: right.others) && !left.others.isEmpty && !right.others.isEmpty
            judgment.record(.otherVersionsDiffer, isStated || !hasISRC ? .contradiction : .none)
        }
        if let left = left.wording, let right = right.wording, left != right {
            judgment.record(.wordingsDiffer, .contradiction)
        }
    }

    private static func language(_ version: SongVersion) -> String? {
        version.language.map { KeywordTable.languages[Int($0)].name }
    }

    /// Artists perform their songs many times: live takes on two releases are two recordings, unless a code says
    /// otherwise.
    private func judgeLiveTakes(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, isOneSource: Bool,
        into judgment: inout Judgment
    ) {
        let (left, right) = (one.version.places, other.version.places)
        if !left.isEmpty, !right.isEmpty, !left.isSubset(of: right), !right.isSubset(of: left) {
            let isDisjoint = left.isDisjoint(with: right)
            judgment.record(.livePlacesDiffer, isDisjoint ? .contradiction : .distance, likelihood: -15)
        }
        guard !hasISRC, !one.album.isAlike(other.album) else { return }
        // Another service may list the take on an album with another name.
        if isOneSource || one.isrc != nil && other.isrc != nil {
            judgment.record(.liveTakesOfTwoReleases, .distance, likelihood: -10)
        }
    }
}
