import Identity

/// Songs by what they are, so that one is found whatever it is named.
struct SongIndex: Sendable {
    private var profilesByKey: [Int64: [IdentityProfile]] = [:]

    init(_ records: [IdentityRecord]) {
        for record in records {
            let profile = IdentityProfile(record)
            for key in profile.keys { profilesByKey[key, default: []].append(profile) }
        }
    }

    /// Whether one of them compares with a song in such a way.
    func contains(
        _ song: IdentityProfile, by rules: IdentityRules, where isMeant: (Verdict) -> Bool
    ) -> Bool {
        song.keys.contains { key in
            profilesByKey[key, default: []].contains { isMeant(rules.compare($0, song).verdict) }
        }
    }
}
