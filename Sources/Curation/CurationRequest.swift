import Model

/// What a person asks for: songs for a prompt, for themselves, or for a playlist (docs/curation.md).
package struct CurationRequest: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// Songs for a prompt.
        case playlist
        /// Songs that are like some others, or like what the person hears.
        case recommendations
        /// Songs that go with those of a playlist.
        case growth
        /// Songs for two people.
        case blend
    }

    /// Where the songs may come from.
    package enum Source: String, Codable, Sendable, CaseIterable {
        /// The person's library alone.
        case library
        /// Catalogs of services alone, without what the library has.
        case discovery
        case mixed
    }

    /// The lengths of lists, in songs.
    package static let sizes = 5...100
    /// The longest prompt, in Unicode scalars.
    package static let longestPrompt = 500

    /// The most songs that a list and its refinements leave out: the latest.
    static let mostExclusions = 1_000

    package var kind: Kind
    /// Empty for lists without one.
    package var prompt: String
    /// How many songs at most.
    package var size: Int
    package var source: Source
    /// How long the list plays; `nil` for any length.
    package var minutes: Int?
    /// Songs that must not be in the list, as edits name them.
    package var excludedTracks: [String] = []
    /// Names of artists whose songs must not be in the list.
    package var excludedArtists: [String] = []
    /// Songs that were heard in so many days must not be in the list.
    package var heardWithinDays: Int?
    /// Equal requests with equal seeds have equal lists without a model, as long as the library stays.
    package var seed: Int
    /// Songs of the library to begin from.
    package var basedOn: [LibraryID] = []
    /// The playlist that grows.
    package var playlist: LibraryID?
    /// The username of the partner of a blend.
    package var with: String?
    /// The list that a refinement changes, and its songs that stay.
    package var refines: String?
    /// The wish of the list that a refinement changes, its end where it is long.
    package var refinedWish: String?
    package var pinned: [CuratedTrack] = []

    package init(kind: Kind, prompt: String = "", size: Int, source: Source, seed: Int = 0) {
        (self.kind, self.prompt, self.size, self.source, self.seed) = (kind, prompt, size, source, seed)
    }

    /// What a person's recommendations are made from.
    package static func recommendations(size: Int = 20, seed: Int) -> CurationRequest {
        CurationRequest(kind: .recommendations, size: size, source: .mixed, seed: seed)
    }

    /// The longest wish that a refinement keeps, in Unicode scalars: what a model is told at the most.
    package static let longestWish = longestPrompt * 2

    /// Makes it a refinement of a list.
    package mutating func refine(_ list: String, wish: String) {
        (refines, refinedWish) = (list, PromptText.end(of: wish, limit: Self.longestWish))
    }

    /// All that was wished for, in the order in which it was.
    package var wish: String { [refinedWish, prompt].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ". ") }
}
