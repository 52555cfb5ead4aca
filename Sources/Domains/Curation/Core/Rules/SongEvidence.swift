import Model

/// A known fact about a song that is a reason to include it in a list.
package struct SongEvidence: Codable, Sendable, Hashable {
    /// The raw values are part of the API, and are the words that models may use.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// The prompt names its artist.
        case artistAsked
        /// It is by the artist of a song that the list is based on.
        case sharedArtist
        /// It is in playlists together with songs that the list is based on.
        case sharedPlaylists
        /// It was heard together with songs that the list is based on.
        case heardTogether
        /// It is on an album together with songs that the list is based on.
        case sharedAlbum
        /// Its genre is one that was asked for.
        case genre
        /// It is from the years that were asked for.
        case years
        /// The person has marked it as loved.
        case loved
        /// It was played often.
        case oftenPlayed
        /// The library has it, but no plays of it are known.
        case neverPlayed
        /// It was added to the library recently.
        case recentlyAdded
        /// The library has many songs by its artist.
        case knownArtist
        /// It is in the library.
        case inLibrary
        /// It is not in the library, but a service has it.
        case discovered
        /// Both people in a blend have it.
        case sharedSong
        /// The other person in a blend has it.
        case partnerHas

        /// The kinds that models may name. Those of blends are not for models.
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
    /// The most sentences in a reason.
    private static var mostSentences: Int { 2 }

    /// The reason for a song, made only from its evidence: first the kinds that a model named, then the others.
    ///
    /// - Parameter named: the kinds that a model named. Kinds that are not among the evidence are ignored.
    func reason(named: [SongEvidence.Kind]) -> String {
        let first = named.compactMap { kind in self.first { $0.kind == kind } }
        let rest = filter { !first.contains($0) }
        // A weaker fact adds nothing once the model has named stronger ones.
        let all = first.isEmpty ? rest : first
        return all.prefix(Self.mostSentences).map(\.text).joined(separator: " ")
    }
}
