import Identity
import Model
import Storage

extension TrackIdentityStore {
    /// Explains why the source tracks of a track are one song; `nil` if the user does not have the track.
    ///
    /// - Parameter id: the track's id; that of a merged track refers to its survivor.
    package func identity(ofTrack id: LibraryID, userID: String) throws -> TrackIdentityAnswer? {
        guard let library = try transaction.library.libraryID(ofUser: userID),
            let track = try survivor(of: id.key, library: library)
        else {
            return nil
        }
        let parts = (try transaction.tracks.parts(ofTracks: [track], library: library)[track] ?? []).sorted {
            $0.precedes($1)
        }
        let listings = Set(parts.map(\.listing))
        let decisions = try allDecisions(ofLibrary: library).filter { decision in
            decision.listings.contains { listings.contains($0) }
        }
        let explanation = Explanation(parts, decisions, rules: try rules(ofLibrary: library))
        return TrackIdentityAnswer(
            trackID: LibraryID(key: track),
            sourceTracks: parts.indices.map { index in
                let row = parts[index]
                return TrackIdentityAnswer.SourceTrack(
                    id: LibraryID(key: row.id), source: row.source, title: row.track.title, artist: row.track.artist,
                    album: row.track.album, evidence: explanation.sentences(at: index))
            }, decisions: decisions)
    }

    /// A page of pairs of a user's tracks that may be the same song, likeliest first.
    package func likelyDuplicates(
        userID: String, start: ListStart<Cursor<Int, Int, Int>>, limit: Int
    ) throws -> LibraryPage<LikelyDuplicate> {
        guard let library = try transaction.library.libraryID(ofUser: userID) else { return .empty }
        let total: Int =
            try transaction.row("SELECT COUNT(*) AS count FROM library_duplicates WHERE library_id = \(library)")?[
                "count"] ?? 0
        let list = LibraryLists.duplicates
        let (following, offset) = list.beginning(of: start)
        let found = try transaction.map(
            """
            SELECT \(DuplicateRow.columns) FROM library_duplicates
            WHERE library_id = \(library)\(following) ORDER BY \(list.order) LIMIT \(limit + 1) OFFSET \(offset)
            """, DuplicateRow.init)
        let page = found.prefix(limit)
        let tracks = try transaction.tracks.tracks(ids: Array(Set(page.flatMap(\.tracks))), library: library)
        let byID = Dictionary(tracks.map { ($0.id.key, $0) }) { first, _ in first }
        let rows = try transaction.tracks.sourceTracks(ids: Array(Set(page.flatMap(\.sourceTracks))), library: library)
        let profiles = Dictionary(rows.map { ($0.id, (row: $0, profile: $0.profile)) }) { first, _ in first }
        let rules = try rules(ofLibrary: library)
        let items = page.compactMap { pair -> LikelyDuplicate? in
            let (songs, compared) = (
                pair.tracks.compactMap { byID[$0] }, pair.sourceTracks.compactMap { profiles[$0] }
            )
            guard songs.count == 2, compared.count == 2 else { return nil }
            let comparison = rules.compare(
                compared[0].profile, compared[1].profile, isOneSource: compared[0].row.source == compared[1].row.source)
            return LikelyDuplicate(tracks: songs, evidence: comparison.sentences)
        }
        let last = found.count > limit ? page.last : nil
        return LibraryPage(
            items: items, total: total,
            nextCursor: last.map { list.text(of: $0.likelihood, Int($0.tracks[0]), Int($0.tracks[1])) })
    }
}

/// Explains why the source tracks of a track are one song.
private struct Explanation {
    private let parts: [SourceTrackRow]
    private let profiles: [IdentityProfile]
    private let decisions: [TrackDecision]
    private let rules: IdentityRules

    init(_ parts: [SourceTrackRow], _ decisions: [TrackDecision], rules: IdentityRules) {
        (self.parts, self.decisions, self.rules) = (parts, decisions, rules)
        profiles = parts.map(\.profile)
    }

    /// Why a source track belongs to its track: the user's decision, or else the comparison with the most similar
    /// source track, followed by what the user keeps it apart from.
    func sentences(at index: Int) -> [String] {
        var sentences: [String] = []
        if let decision = decisions.last(where: { joins(parts[index].listing, $0) }) {
            sentences.append("You decided on \(day(decision)) that it belongs to this song.")
        } else if parts.count == 1 {
            sentences.append("It is the only entry of this song in your libraries.")
        } else if let (other, comparison) = best(for: index) {
            sentences.append("Compared with \(name(parts[other])):")
            sentences += comparison.sentences
        }
        for decision in decisions where decision.kind == .split && separates(parts[index].listing, decision) {
            sentences.append("You decided on \(day(decision)) that it is a different song than others with its name.")
        }
        return sentences
    }

    /// Whether a decision joins the source track with another one of the track.
    private func joins(_ listing: Listing, _ decision: TrackDecision) -> Bool {
        guard decision.holdsSides, let side = decision.sides.first(where: { $0.contains(listing) }) else {
            return false
        }
        return parts.contains { $0.listing != listing && side.contains($0.listing) }
    }

    /// Whether a decision keeps the source track apart from source tracks that are not in the track.
    private func separates(_ listing: Listing, _ decision: TrackDecision) -> Bool {
        let others = decision.sides.filter { !$0.contains(listing) }.joined()
        guard decision.listings.contains(listing) else { return false }
        return others.contains { other in !parts.contains { $0.listing == other } }
    }

    /// The other source track that is most similar.
    private func best(for index: Int) -> (index: Int, comparison: Comparison)? {
        let compared = parts.indices.filter { $0 != index }.map { other in
            (
                index: other,
                comparison: rules.compare(
                    profiles[index], profiles[other], isOneSource: parts[index].source == parts[other].source)
            )
        }
        func rank(_ comparison: Comparison) -> (Int, Int) {
            (comparison.verdict == .same ? 1 : 0, comparison.likelihood)
        }
        // Of equally similar ones, the first is used, whose listing comes first.
        return compared.reversed().max { rank($0.comparison) < rank($1.comparison) }
    }

    private func name(_ row: SourceTrackRow) -> String {
        let album = row.track.album.isEmpty ? "" : " on “\(row.track.album)”"
        return "“\(row.track.title)” by \(row.track.artist)\(album) (\(row.source.displayName))"
    }

    private func day(_ decision: TrackDecision) -> String {
        String(decision.at.description.prefix(10))
    }
}
