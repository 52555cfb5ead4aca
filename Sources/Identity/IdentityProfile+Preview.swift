extension IdentityProfile {
    /// The most that two durations of one recording differ for a preview, in milliseconds.
    private static let previewTolerance = 3_000

    /// How well a recording that a shop lists stands for this one: the difference of their durations in milliseconds,
    /// 0 where this one's is unknown. `nil` when it is another recording.
    ///
    /// An artist and the core of the titles agree, and so do the versions; karaoke and tributes never do.
    package func previewDistance(to other: IdentityProfile) -> Int? {
        guard !other.version.kinds.contains(.karaoke),
            version.kinds.symmetricDifference(other.version.kinds).isSubset(of: .soft),
            title.core.letters == other.title.core.letters || title.whole == other.title.whole,
            artists.contains(where: { artist in other.artists.contains { $0.letters == artist.letters } })
        else { return nil }
        guard let duration = record.durationMs else { return 0 }
        guard let listed = other.record.durationMs else { return nil }
        let difference = abs(duration - listed)
        return difference <= Self.previewTolerance ? difference : nil
    }
}
