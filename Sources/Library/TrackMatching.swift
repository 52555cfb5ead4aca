import Model

/// The rules of which source tracks are one track: the seed's (`shared/seeds/002`, sections 2 and 3).
///
/// Everything that finds or merges tracks asks this value, so that other rules can take its place.
struct TrackMatching: Sendable {
    static let current = TrackMatching()

    // MARK: Finding

    /// A track that may be that of a source track.
    struct Candidate {
        let id: Int64
        let parts: [SourceTrackRow]
    }

    /// The track for a new source track among those with its ``FoldedNames``; `nil` if it is a new one.
    ///
    /// The other source's track of this title, artist and album is the same one, whatever its ISRC. Within one source,
    /// different ISRCs are different tracks. Services leave out titles, too: what has none is no track by its names.
    func track(for track: SourceTrack, of source: MusicSource, among candidates: [Candidate]) -> Int64? {
        guard !track.title.isEmpty else { return nil }
        let possible = candidates.filter { candidate in
            !candidate.parts.contains { $0.source == source && differ($0.track.isrc, track.isrc) }
        }
        // Equal ISRCs first, then tracks that lack this source, then the oldest.
        return possible.min { left, right in
            (rank(left, for: track, of: source), left.id) < (rank(right, for: track, of: source), right.id)
        }?.id
    }

    /// The track that a new source track would be merged into after the sync, among those with its ISRC; `nil` if there
    /// is none, or merging would move source tracks apart.
    func survivor(for track: SourceTrack, of source: MusicSource, amongEqual candidates: [Candidate]) -> Int64? {
        let equal = candidates.filter { candidate in candidate.parts.contains { $0.track.isrc == track.isrc } }
        let movesApart = equal.contains { candidate in
            candidate.parts.contains { $0.source == source && differ($0.track.isrc, track.isrc) }
        }
        return movesApart ? nil : equal.min(by: survives)?.id
    }

    /// The source tracks that leave a track with one whose ISRC came or changed; none if it stays.
    ///
    /// - Parameter parts: the source tracks of its track, itself among them.
    func leaving(with row: SourceTrackRow, among parts: [SourceTrackRow]) -> [SourceTrackRow] {
        guard parts.contains(where: { $0.source == row.source && differ($0.track.isrc, row.track.isrc) }) else {
            return []
        }
        return parts.filter { $0.id == row.id || $0.track.isrc == row.track.isrc }
    }

    private func rank(_ candidate: Candidate, for track: SourceTrack, of source: MusicSource) -> Int {
        if let isrc = track.isrc, candidate.parts.contains(where: { $0.track.isrc == isrc }) { return 0 }
        return candidate.parts.contains { $0.source == source } ? 2 : 1
    }

    private func differ(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return false }
        return left != right
    }

    // MARK: Merging

    /// What becomes of tracks with one ISRC.
    struct Merge {
        let survivor: Int64
        /// The source tracks of the survivor.
        var kept: [SourceTrackRow] = []
        /// Source tracks that leave for tracks of their own, one list for each.
        var apart: [[SourceTrackRow]] = []
    }

    /// Merges tracks with one ISRC. The survivor has a source track of Apple Music, or else is the oldest.
    ///
    /// A source track that was joined by its names alone gives way to one of its source with this ISRC: "A" of Apple
    /// Music has found "A" of Spotify with another ISRC, and then Spotify's with the same ISRC came.
    func merge(_ tracks: [Candidate], isrc: String) -> Merge? {
        guard let survivor = tracks.min(by: survives) else { return nil }
        var merge = Merge(survivor: survivor.id)
        var leaving: [String: [SourceTrackRow]] = [:]
        let parts = tracks.flatMap(\.parts).sorted { $0.id < $1.id }
        for part in parts {
            let isPushed = parts.contains { $0.source == part.source && $0.track.isrc == isrc }
            if isPushed, let own = part.track.isrc, own != isrc {
                leaving["\(part.source.number) \(own)", default: []].append(part)
            } else {
                merge.kept.append(part)
            }
        }
        merge.apart = leaving.sorted { $0.key < $1.key }.map(\.value)
        return merge
    }

    private func survives(_ left: Candidate, _ right: Candidate) -> Bool {
        (isOfApple(left) ? 0 : 1, left.id) < (isOfApple(right) ? 0 : 1, right.id)
    }

    private func isOfApple(_ track: Candidate) -> Bool { track.parts.contains { $0.source == .appleMusic } }
}
