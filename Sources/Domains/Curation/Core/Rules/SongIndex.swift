import Identity

/// Songs indexed by their identity, so that a song is found under any name.
struct SongIndex: Sendable {
    private var profilesByKey: [Int64: [IdentityProfile]] = [:]

    init(_ records: [IdentityRecord]) {
        for record in records {
            let profile = IdentityProfile(record)
            for key in profile.keys { profilesByKey[key, default: []].append(profile) }
        }
    }

    /// Whether one of them is the given song.
    func contains(_ song: IdentityProfile, by rules: IdentityRules) -> Bool {
        candidates(for: song).contains { rules.compare($0, song).verdict == .same }
    }

    /// Whether one of them is, or may be, the given song: nothing contradicts it, and they share more than a single
    /// word of an artist's name.
    func mayContain(_ song: IdentityProfile, by rules: IdentityRules) -> Bool {
        candidates(for: song).contains {
            $0.sharesNameOrISRC(with: song) && rules.compare($0, song).verdict != .different
        }
    }

    private func candidates(for song: IdentityProfile) -> some Sequence<IdentityProfile> {
        song.keys.lazy.flatMap { profilesByKey[$0, default: []] }
    }
}
