import Model

/// What a person asks for: songs for a prompt, for themselves, or for a playlist (docs/curation.md).
package struct CurationRequest: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// Songs for a prompt.
        case playlist
        /// Songs that resemble some others, or what the person listens to.
        case recommendations
        /// Songs that go with those in a playlist. Paths of the API and the table name them so.
        case playlistSuggestions = "growth"
        /// Songs for two people.
        case blend
    }

    /// Where the songs may come from.
    package enum Source: String, Codable, Sendable, CaseIterable {
        /// Only the person's library.
        case library
        /// Only catalogs of services, without the songs in the library.
        case discovery
        case mixed
    }

    /// The possible lengths of lists, in songs.
    package static let sizes = 5...100
    /// The longest prompt, in Unicode scalars.
    package static let longestPrompt = 500

    /// The most songs that a list and its refinements exclude: the latest ones.
    static let mostExclusions = 1_000

    package var kind: Kind
    /// The prompt; empty for lists without one.
    package var prompt: String
    /// The most songs in the list.
    package var size: Int
    package var source: Source
    /// How long the list should play; `nil` for any length.
    package var minutes: Int?
    /// Songs that must not be in the list, as edits name them.
    package var excludedTracks: [String] = []
    /// Names of artists whose songs must not be in the list.
    package var excludedArtists: [String] = []
    /// Songs that were heard within this number of days must not be in the list.
    package var heardWithinDays: Int?
    /// Without a model, equal requests with equal seeds give equal lists, as long as the library does not change.
    package var seed: Int
    /// Songs in the library that the list is based on.
    package var basedOn: [LibraryID] = []
    /// The playlist to grow.
    package var playlist: LibraryID?
    /// The username that a person asked for a blend with, as they wrote it; `nil` once the other person has agreed. From
    /// then on, the list has the other person's id (``CuratedList/partnerID``).
    package var with: String?
    /// The list that a refinement changes; ``pinned`` has its songs that stay.
    package var refines: String?
    /// The wish of the list that a refinement changes, or the end of it if it is long.
    package var refinedWish: String?
    package var pinned: [CuratedTrack] = []

    package init(kind: Kind, prompt: String = "", size: Int, source: Source, seed: Int = 0) {
        (self.kind, self.prompt, self.size, self.source, self.seed) = (kind, prompt, size, source, seed)
    }

    /// The request for a person's recommendations.
    package static func recommendations(size: Int = 20, seed: Int) -> CurationRequest {
        CurationRequest(kind: .recommendations, size: size, source: .mixed, seed: seed)
    }

    /// The longest wish that a refinement stores and a model receives, in Unicode scalars.
    package static let longestWish = longestPrompt * 2

    /// Turns the request into a refinement of a list.
    package mutating func refine(_ list: String, wish: String) {
        (refines, refinedWish) = (list, PromptText.end(of: wish, limit: Self.longestWish))
    }

    /// Everything that was wished for, in chronological order.
    package var wish: String { [refinedWish, prompt].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ". ") }
}
