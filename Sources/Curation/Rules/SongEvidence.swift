import Model

/// A fact about a song that is stored, and that speaks for its place in a list.
package struct SongEvidence: Codable, Sendable, Hashable {
    /// The raw values are in the API, and are what models may name.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// The prompt names its artist.
        case artistAsked
        /// Its artist is that of a song that the list is based on.
        case sharedArtist
        /// It is in playlists with songs that the list is based on.
        case sharedPlaylists
        /// It was heard together with songs that the list is based on.
        case heardTogether
        /// It is on an album with songs that the list is based on.
        case sharedAlbum
        /// Its genre is one that was asked for.
        case genre
        /// It is from the years that were asked for.
        case years
        /// The person has said that they love it.
        case loved
        /// It was played often.
        case oftenPlayed
        /// The library has it, and no play of it is known.
        case neverPlayed
        /// It came into the library lately.
        case recentlyAdded
        /// The library has many songs of its artist.
        case knownArtist
        /// It is in the library.
        case inLibrary
        /// It is not in the library, and a service has it.
        case discovered
        /// Both people of a blend have it.
        case sharedSong
        /// The other person of a blend has it.
        case partnerHas

        /// Those that models may name: a blend's are no model's business.
        static let offered = allCases.filter { $0 != .sharedSong && $0 != .partnerHas }
    }

    package var kind: Kind
    /// A sentence for people.
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        (self.kind, self.text) = (kind, text)
    }
}

extension [SongEvidence] {
    /// The most sentences of a reason.
    private static var mostSentences: Int { 2 }

    /// The reason for a song, made of nothing but its evidence: first the kinds that a model named, then the others.
    ///
    /// - Parameter named: kinds that are not among the evidence count for nothing.
    func reason(named: [SongEvidence.Kind]) -> String {
        let first = named.compactMap { kind in self.first { $0.kind == kind } }
        let rest = filter { !first.contains($0) }
        // A weaker fact adds nothing once the model has named stronger ones.
        let all = first.isEmpty ? rest : first
        return all.prefix(Self.mostSentences).map(\.text).joined(separator: " ")
    }
}
