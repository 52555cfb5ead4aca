import Identity
import Model

/// Putting a list together.
extension CurationRun {
    func finished(
        _ list: CuratedList, _ ranking: SongRanking, _ context: CurationContext
    ) -> ListContent {
        var rules = ListRules(list.request, context, named: list.found.filter { $0.reference != nil }.map(\.artist))
        for track in list.request.pinned {
            rules.add(ListRules.Choice(song: CandidateSong(track), isPinned: true))
        }
        if let answer = list.answer {
            let asked = ranking.requestedVersions
            addSongs(answer, of: list, context, asked, &rules)
        }
        // The library does not fill up a list of discoveries, unless there are no discoveries at all.
        if list.request.source != .discovery || rules.choices.isEmpty {
            fill(&rules, of: list, with: ranking.varied(list.request.size * 3))
            // If one artist has all of the first songs, the others come from further down.
            if !rules.isFull { fill(&rules, of: list, with: ranking.ordered()) }
        }
        rules.trimArtists()
        let isWithoutModel = list.answer != nil && !rules.choices.contains { !$0.isFilled && !$0.isPinned }
        let moment = now()
        let choices = list.answer?.plan?.arranged(rules.choices) ?? rules.choices
        let tracks = choices.map { choice in
            let evidence = ranking.evidence(for: choice.song, now: moment)
            return CuratedTrack(choice, evidence: evidence)
        }
        var finished = ListContent(id: list.id, userID: userID, tracks: tracks, dropped: rules.dropped, at: moment)
        if isWithoutModel, list.fallback == nil {
            finished.fallback = Self.fallbackText("Nothing that the model named could be used.")
        }
        return finished
    }

    private func fill(_ rules: inout ListRules, of list: CuratedList, with songs: [CandidateSong]) {
        for song in songs where !rules.isFull {
            // The model asked for the songs that its plan finds.
            let isFilled = list.answer.map { !($0.plan?.asks(for: song) ?? false) } ?? false
            rules.add(ListRules.Choice(song: song, isFilled: isFilled))
        }
    }

    private func addSongs(
        _ answer: ModelAnswer, of list: CuratedList, _ context: CurationContext, _ asked: Set<NonOriginalVersion>,
        _ rules: inout ListRules
    ) {
        let songs = Dictionary(context.candidates.map { ($0.reference, $0) }) { first, _ in first }
        for said in answer.plan?.unknown ?? [] {
            rules.drop(said, "The model asked for something that it was not offered.")
        }
        for item in answer.songs {
            guard let reference = item.reference else {
                rules.drop("number \(item.number)", "The model named a number that was not in its list.")
                continue
            }
            guard let song = songs[reference] else {
                rules.drop("number \(item.number)", "The song is no longer in your library.")
                continue
            }
            rules.add(
                ListRules.Choice(song: song, named: item.why, said: "\(song.artist) – \(song.title)"))
        }
        for (index, name) in answer.discoveries.enumerated() {
            let said = "\(name.artist) – \(name.title)"
            guard index < list.found.count else {
                rules.drop(said, "It was not looked up: no connected service could be asked.")
                continue
            }
            let found = list.found[index]
            guard let song = CandidateSong(found) else {
                rules.drop(said, "No such song was found.", nearest: found.nearest)
                continue
            }
            if found.isKnown, list.request.source == .discovery {
                rules.drop(said, "You already have it.")
                continue
            }
            if let version = IdentityProfile(song.record).nonOriginalVersions.subtracting(asked).min() {
                rules.drop(said, "It is a \(version.name), which you did not ask for.")
                continue
            }
            rules.add(ListRules.Choice(song: song, named: name.why, said: said))
        }
    }
}

/// A list that is ready to be written.
package struct ListContent: Sendable, Hashable {
    package var id: String
    package var userID: String
    package var tracks: [CuratedTrack]
    package var dropped: [DroppedSong]
    package var at: Timestamp
    /// The key under which equal requests find the list; `nil` if they must not find it.
    package var cacheKey: String?
    /// Why the model that was asked contributed nothing, for people; otherwise `nil`.
    package var fallback: String?
}

extension CandidateSong {
    /// Creates a candidate from a song of an earlier list.
    fileprivate init(_ track: CuratedTrack) {
        self.init(
            reference: track.reference, title: track.title, artist: track.artist, album: track.album,
            origin: track.origin)
        durationMs = track.durationMs
    }

    /// Returns `nil` for a song that was not found.
    fileprivate init?(_ found: SongMatch) {
        guard let reference = found.reference else { return nil }
        let origin: CuratedTrack.Origin =
            if found.isKnown { .library } else { reference.hasPrefix("spotify:") ? .spotify : .appleMusic }
        self.init(
            reference: reference, title: found.title, artist: found.artist, album: found.album, origin: origin)
        (durationMs, isrc, year, isExplicit) = (found.durationMs, found.isrc, found.year, found.isExplicit)
    }
}

extension CuratedTrack {
    fileprivate init(_ choice: ListRules.Choice, evidence: [SongEvidence]) {
        self.init(
            reference: choice.song.reference, title: choice.song.title, artist: choice.song.artist,
            album: choice.song.album, durationMs: choice.song.durationMs, origin: choice.song.origin,
            reason: evidence.reason(named: choice.named), evidence: evidence, isFilled: choice.isFilled,
            isPinned: choice.isPinned)
    }
}
