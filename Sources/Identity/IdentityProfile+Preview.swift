extension IdentityProfile {
    /// The largest difference between the durations of a recording and its preview's track, in milliseconds.
    private static let previewTolerance = 3_000

    /// How well a recording that a shop lists can stand in for this one: the difference between their durations in
    /// milliseconds, or 0 if this one's duration is unknown. `nil` if it is a different recording.
    ///
    /// The titles' cores and at least one artist must agree, and so must the versions; karaoke and tributes never
    /// match.
    package func previewDistance(to other: IdentityProfile) -> Int? {
        guard !other.version.kinds.contains(.karaoke),
            version.kinds.symmetricDifference(other.version.kinds).isSubset(of: .soft),
            title.core.letters == other.title.core.letters || title.whole == other.title.whole,
            artists.contains(where: { artist in other.artists.contains { $0.letters == artist.letters } })
        else { return nil }
        guard let duration = record.durationMs else { return 0 }
        guard let listed = other.record.durationMs else { return nil }
        let difference = Int(clamping: (duration - listed).magnitude)
        return difference <= Self.previewTolerance ? difference : nil
    }
}
