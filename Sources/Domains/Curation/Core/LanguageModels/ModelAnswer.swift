import Model

/// What a model names, as far as it can be read. Whether it exists has yet to be checked.
package struct ModelAnswer: Codable, Sendable, Hashable {
    /// A candidate by its number.
    struct NumberedCandidate: Codable, Sendable, Hashable {
        var number: Int
        var why: [SongEvidence.Kind]
        /// The song that had the number when the model was asked; `nil` if no song had it.
        var reference: String?
        /// The song's title and artist, in case the number refers to the model's own list; `nil` once the answer is
        /// bound.
        var name: NamedSong?
    }

    /// A song by its title and artist.
    struct NamedSong: Codable, Sendable, Hashable {
        var title: String
        var artist: String
        var why: [SongEvidence.Kind]

        func isOf(_ song: CandidateSong) -> Bool { Self.key(title, artist) == Self.key(song.title, song.artist) }

        /// The key with which a candidate is found.
        static func key(_ title: String, _ artist: String) -> [[String]] {
            [FoldedText.words(of: title), FoldedText.words(of: artist)]
        }
    }

    var songs: [NumberedCandidate] = []
    var discoveries: [NamedSong] = []
    /// The plan that long lists have instead of songs.
    var plan: CurationPlan?

    /// Reads an answer as if no schema had been requested (``ModelText``): the last object with one of the lists,
    /// whatever surrounds it; if there is none, the last list of songs, or songs one after another. Text that was
    /// encoded twice is read in the same way. An empty answer counts only if there is no other. Items that cannot be
    /// read are skipped.
    ///
    /// - Returns: `nil` for a text without such a value.
    package init?(_ text: String) {
        let outer = ModelText(text)
        let whole = ModelAnswerLists.last(in: outer.values)?.answer
        if let whole, !whole.isEmpty {
            self = whole
            return
        }
        let inner = outer.decoded
        let others = [
            inner.flatMap { ModelAnswerLists.last(in: $0.values) }, ModelAnswerLists(bareIn: outer),
            inner.flatMap { ModelAnswerLists(bareIn: $0) },
        ].compactMap { $0?.answer }
        guard let answer = others.first(where: { !$0.isEmpty }) ?? whole ?? others.first else { return nil }
        self = answer
    }

    init(songs: [NumberedCandidate], discoveries: [NamedSong]) { (self.songs, self.discoveries) = (songs, discoveries) }

    private var isEmpty: Bool { songs.isEmpty && discoveries.isEmpty }

    /// Records which songs the numbers refer to, since the candidates of a later run may differ. A candidate that is
    /// named by its title and artist is bound as well.
    ///
    /// - Parameters:
    ///   - candidates: the candidates of the question, in its order.
    ///   - takesNames: whether the question also asked for songs by their names.
    func bound(to candidates: some Collection<CandidateSong>, takesNames: Bool = true) -> ModelAnswer {
        let candidates = Array(candidates)
        let keys = candidates.map { NamedSong.key($0.title, $0.artist) }
        let places = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        var answer = ModelAnswer(songs: [], discoveries: [])
        answer.plan = plan
        var names = discoveries
        for var song in songs {
            // A stored answer may have any number, so it is compared before any calculation.
            let candidate = song.number >= 1 && song.number <= candidates.count ? candidates[song.number - 1] : nil
            if let name = song.name, candidate.map({ !name.isOf($0) }) ?? true,
                takesNames || places[NamedSong.key(name.title, name.artist)] != nil
            {
                // The number refers to the model's own list.
                names.append(name)
                continue
            }
            (song.reference, song.name) = (candidate?.reference, nil)
            answer.songs.append(song)
        }
        for name in names {
            if let place = places[NamedSong.key(name.title, name.artist)] {
                let number = NumberedCandidate(number: place + 1, why: name.why, reference: candidates[place].reference)
                if !answer.songs.contains(where: { $0.number == number.number }) { answer.songs.append(number) }
            } else if takesNames {
                answer.discoveries.append(name)
            }
        }
        return answer
    }

    /// Reads an answer to a question for a plan in the same way.
    init?(planIn text: String, genres: [String], artists: [String]) {
        let plan = ModelValue.last(in: text) { value in
            value.members.flatMap { CurationPlan($0, genres: genres, artists: artists) }
        }
        guard let plan else { return nil }
        self.plan = plan
    }
}
