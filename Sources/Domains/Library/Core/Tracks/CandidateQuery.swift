/// Selects the songs of a library that a list may be made from.
package struct CandidateQuery: Sendable, Hashable {
    /// Texts that may be the names of artists.
    package var artists: [String] = []
    /// Folded words of genre names.
    package var genreWords: [String] = []
    package var years: [ClosedRange<Int>] = []
    /// Determines which songs are sampled to represent the whole library.
    package var seed: Int

    package init(seed: Int) { self.seed = seed }
}
